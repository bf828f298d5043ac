import { utf8Bytes } from '../internal/utf8-bytes.ts';
import { decodeUtf8, validUtf8Length } from './decode-utf8.ts';
import { findFault } from './find-fault.ts';
import { JsonError } from './json-error.ts';
import type { JsonFault } from './json-fault.ts';
import type { JsonValue } from './json-value.ts';
import { locateFault } from './locate-fault.ts';
import { quoteShort } from './quote-short.ts';
import { type ReadJsonOptions, type ReadRules, toReadRules } from './read-rules.ts';
import { screen } from './screen.ts';

/**
 * Reads one I-JSON text (RFC 7493): no duplicate member names, no lone surrogates or noncharacters, no number that a
 * double would change beyond rounding a fraction, nothing before or after the value but white space.
 *
 * @param text - The whole text, or its UTF-8 bytes, which are copied before they are looked at.
 * @param options - Bounds and permissions; strict by default: 1 MiB, 64 levels.
 * @returns A value that the caller owns: not frozen, shared with nobody, members own and enumerable.
 * @throws {@link JsonError} the first fault in document order, with offset, line, column and pointer;
 *   `json/unexpected-end` means that the text was cut off, not wrong. `json/too-large` comes before any other.
 */
export function readJson(text: string | Uint8Array, options?: ReadJsonOptions): JsonValue {
  const rules = toReadRules(options);
  return readText(typeof text === 'string' ? text : decode(toBytes(text), rules), rules);
}

function readText(text: string, rules: ReadRules): JsonValue {
  if (
    text.length * 3 > rules.maxBytes &&
    (text.length > rules.maxBytes || utf8Bytes(text) > rules.maxBytes)
  ) {
    throw tooLarge(rules);
  }
  if (screen(text, rules.maxDepth)) {
    try {
      return JSON.parse(text) as JsonValue;
    } catch {
      // Not JSON. The strict grammar knows where and why.
    }
  }
  const fault = findFault(text, rules);
  if (fault !== undefined) throw toError(text, fault);
  return parseAccepted(text);
}

/** The grammar is settled; only an engine whose own parser needs the call stack for nesting can still fail. */
function parseAccepted(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (cause) {
    throw new JsonError('json/too-deep', { offset: 0, line: 1, column: 1 }, 'for this engine', { cause });
  }
}

function decode(source: Uint8Array, rules: ReadRules): string {
  if (source.byteLength > rules.maxBytes) throw tooLarge(rules);
  const bytes = new Uint8Array(source);
  const text = decodeUtf8(bytes);
  if (text !== undefined) return text;
  const valid = decodeUtf8(bytes.subarray(0, validUtf8Length(bytes))) ?? '';
  const fault = findFault(valid, rules);
  if (fault === undefined || fault.code === 'json/unexpected-end') {
    throw toError(valid, { code: 'json/bad-utf8', offset: valid.length });
  }
  throw toError(valid, fault);
}

function toBytes(source: unknown): Uint8Array {
  if (source instanceof Uint8Array) return source;
  throw new JsonError('json/options-invalid', {}, 'the text must be a string or a Uint8Array');
}

function tooLarge(rules: ReadRules): JsonError {
  return new JsonError('json/too-large', { offset: 0, line: 1, column: 1 }, `at most ${rules.maxBytes}`);
}

function toError(text: string, fault: JsonFault): JsonError {
  return new JsonError(fault.code, locateFault(text, fault), describe(text, fault));
}

function describe(text: string, { code, offset, expected }: JsonFault): string | undefined {
  if (expected === undefined) return undefined;
  const found = text.codePointAt(offset);
  if (code === 'json/unexpected-end' || found === undefined) return `expected ${expected}`;
  return `expected ${expected}, found ${quoteShort(String.fromCodePoint(found), 10)}`;
}
