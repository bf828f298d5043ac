import { utf8Bytes } from '../internal/utf8-bytes.ts';
import { JsonError } from './json-error.ts';
import type { JsonErrorCode } from './json-error-code.ts';
import { joinPointer } from './json-pointer.ts';
import { refusalOf } from './unsupported-instance.ts';
import type { WriteRules } from './write-rules.ts';

/** One open array or object. */
interface Frame {
  readonly holder: object;
  /** Member names in the order of writing; `undefined` for an array. */
  readonly names: readonly string[] | undefined;
  readonly length: number;
  /** Index of the member being written. */
  index: number;
  /** Whether a member was written, so that the next one needs a comma. */
  started: boolean;
}

interface Encoding {
  readonly rules: WriteRules;
  readonly frames: Frame[];
  out: string;
  /** The error that this encoding threw itself. */
  failure: JsonError | undefined;
}

/**
 * The JSON text of a value. Reads each member once, so that what was checked is what is written, and needs no call
 * stack for nesting.
 *
 * @throws {@link JsonError}
 */
export function encodeJson(value: unknown, rules: WriteRules): string {
  const encoding: Encoding = { rules, frames: [], out: '', failure: undefined };
  try {
    if (!writeValue(encoding, value, '')) fail(encoding, 'json/unsupported-value', 'undefined');
    while (encoding.frames.length > 0) writeNext(encoding);
    if (encoding.out.length * 3 > rules.maxBytes && utf8Bytes(encoding.out) > rules.maxBytes)
      tooLarge(encoding);
    return encoding.out;
  } catch (error) {
    if (error === encoding.failure) throw error;
    throw new JsonError('json/getter-failed', { pointer: pointerOf(encoding) }, undefined, { cause: error });
  }
}

function writeNext(encoding: Encoding): void {
  const { frames } = encoding;
  const frame = frames.at(-1);
  if (frame === undefined) return;
  frame.index++;
  if (frame.index >= frame.length) {
    encoding.out += frame.names === undefined ? ']' : '}';
    frames.pop();
    return;
  }
  const before = encoding.out;
  const name = frame.names?.[frame.index];
  const value: unknown = Reflect.get(frame.holder, name ?? frame.index);
  encoding.out +=
    name === undefined ? (frame.started ? ',' : '') : `${frame.started ? ',' : ''}${quote(encoding, name)}:`;
  if (writeValue(encoding, value, name ?? String(frame.index))) frame.started = true;
  else if (name === undefined) fail(encoding, 'json/unsupported-value', 'undefined or a hole in an array');
  else encoding.out = before;
}

/** Writes a scalar, or opens a container; `false` for `undefined`. */
function writeValue(encoding: Encoding, given: unknown, name: string): boolean {
  let value = given;
  if (typeof value === 'object' && value !== null) {
    if (value instanceof Date && Number.isNaN(value.getTime())) {
      fail(encoding, 'json/unsupported-value', 'an invalid Date');
    }
    value = callToJson(value, name);
    if (value instanceof Number || value instanceof String || value instanceof Boolean)
      value = value.valueOf();
  }
  switch (typeof value) {
    case 'string':
      encoding.out += quote(encoding, value);
      break;
    case 'number':
      if (!Number.isFinite(value)) fail(encoding, 'json/unsupported-value', String(value));
      encoding.out += Object.is(value, -0) ? '0' : String(value);
      break;
    case 'boolean':
      encoding.out += value ? 'true' : 'false';
      break;
    case 'undefined':
      return false;
    case 'object':
      if (value === null) encoding.out += 'null';
      else openContainer(encoding, value);
      break;
    case 'bigint':
    case 'symbol':
    case 'function':
      fail(encoding, 'json/unsupported-value', `a ${typeof value}`);
  }
  if (encoding.out.length > encoding.rules.maxBytes) tooLarge(encoding);
  return true;
}

function callToJson(value: object, name: string): unknown {
  const toJson: unknown = Reflect.get(value, 'toJSON');
  return typeof toJson === 'function' ? Reflect.apply(toJson, value, [name]) : value;
}

function openContainer(encoding: Encoding, holder: object): void {
  const { frames, rules } = encoding;
  if (frames.length >= rules.maxDepth) failDeep(encoding, holder);
  if (frames.length > 64 && frames.some((frame) => frame.holder === holder)) fail(encoding, 'json/cycle');
  if (Array.isArray(holder)) {
    encoding.out += '[';
    frames.push({ holder, names: undefined, length: holder.length, index: -1, started: false });
    return;
  }
  const names = Object.keys(holder);
  const refusal = refusalOf(holder, names.length);
  if (refusal !== undefined) fail(encoding, 'json/unsupported-value', refusal);
  if (rules.sorted) names.sort();
  encoding.out += '{';
  frames.push({ holder, names, length: names.length, index: -1, started: false });
}

function failDeep(encoding: Encoding, holder: object): never {
  const holders = new Set<object>(encoding.frames.map((frame) => frame.holder));
  if (holders.has(holder) || holders.size < encoding.frames.length) fail(encoding, 'json/cycle');
  return fail(encoding, 'json/too-deep', `at most ${encoding.rules.maxDepth}`);
}

function tooLarge(encoding: Encoding): never {
  const holders = new Set<object>(encoding.frames.map((frame) => frame.holder));
  if (holders.size < encoding.frames.length) fail(encoding, 'json/cycle');
  return fail(encoding, 'json/too-large', `at most ${encoding.rules.maxBytes}`);
}

function quote(encoding: Encoding, text: string): string {
  if (text.length > encoding.rules.maxBytes) tooLarge(encoding);
  if (!text.isWellFormed()) fail(encoding, 'json/lone-surrogate');
  return JSON.stringify(text);
}

function fail(encoding: Encoding, code: JsonErrorCode, detail?: string): never {
  encoding.failure = new JsonError(code, { pointer: pointerOf(encoding) }, detail);
  throw encoding.failure;
}

function pointerOf({ frames }: Encoding): string {
  return joinPointer(frames.map((frame) => frame.names?.[frame.index] ?? frame.index));
}
