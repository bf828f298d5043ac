import { canonicalJson, freezeJson, type JsonObject, type JsonValue, toJsonValue } from '@toolgate/core';
import { type AuditEntry, auditKinds } from '../ports/audit-log.ts';
import { GatewayError } from '../ports/gateway-error.ts';

/** Bytes of the canonical JSON of what one entry says. */
export const MAX_DATA_BYTES = 16_384;
const MAX_ACTOR_LENGTH = 256;
const CONTROL = /\p{Cc}/u;

/** An entry on its way into the chain. */
export interface ChainEntry extends AuditEntry {
  /** The canonical JSON of its data, where it is at hand. */
  readonly text?: string;
}

/**
 * A copy of an entry that can be written down, with the text of its data.
 *
 * @throws GatewayError `gateway/entry-invalid`.
 */
export function checkEntry(entry: AuditEntry): Required<ChainEntry> {
  const { kind, actor, data } = entry;
  if (!auditKinds.includes(kind)) throw invalid('its kind is not on the list');
  if (!isActor(actor))
    throw invalid(`its actor is a text of 1 to ${MAX_ACTOR_LENGTH} characters without controls`);
  const { copy, text } = copyData(data);
  if (Buffer.byteLength(text) > MAX_DATA_BYTES)
    throw invalid(`its data is larger than ${MAX_DATA_BYTES} bytes`);
  return Object.freeze({ kind, actor, data: copy, text });
}

function isActor(actor: unknown): boolean {
  if (typeof actor !== 'string' || actor === '' || actor.length > MAX_ACTOR_LENGTH) return false;
  // One that no digest can be made of would keep back everything that is written together with it.
  return actor.isWellFormed() && !CONTROL.test(actor);
}

/** A copy of data, frozen, and its canonical JSON. */
interface DataCopy {
  readonly copy: JsonObject;
  readonly text: string;
}

function copyData(data: JsonObject): DataCopy {
  try {
    const flat = copyFlat(data);
    if (flat !== undefined) return flat;
    const copy = freezeJson(toJsonValue(data));
    if (isObject(copy)) return { copy, text: canonicalData(copy) };
  } catch (cause) {
    throw new GatewayError('gateway/entry-invalid', 'An audit entry holds plain JSON.', { cause });
  }
  throw invalid('its data is an object');
}

/**
 * A copy of an object of nothing but texts, which most data are; `undefined` for everything else, and for what might be
 * something else. Each member is read once.
 */
function copyFlat(data: unknown): DataCopy | undefined {
  if (typeof data !== 'object' || data === null || Object.getPrototypeOf(data) !== Object.prototype)
    return undefined;
  const copy: Record<string, JsonValue> = {};
  let last = '';
  let isSorted = true;
  for (const name of Object.keys(data)) {
    const value: unknown = Reflect.get(data, name);
    if (typeof value !== 'string' || !value.isWellFormed() || !NAME.test(name)) return undefined;
    copy[name] = value;
    if (name < last) isSorted = false;
    last = name;
  }
  return { copy: Object.freeze(copy), text: isSorted ? JSON.stringify(copy) : canonicalJson(copy) };
}

/** A name that means nothing to an object, nor to who writes it. */
const NAME = /^(?!toJSON$)[a-z]\w{0,63}$/i;

/**
 * The canonical JSON of data (RFC 8785). Most of it is flat and was sorted by who wrote it, and then that is what the engine
 * prints.
 *
 * @throws JsonError where it is no JSON value.
 */
export function canonicalData(data: JsonObject): string {
  return isFlatAndSorted(data) ? JSON.stringify(data) : canonicalJson(data);
}

function isFlatAndSorted(data: JsonObject): boolean {
  let last = '';
  for (const name of Object.keys(data)) {
    if (name < last || !name.isWellFormed() || !isPlain(data[name])) return false;
    last = name;
  }
  return true;
}

function isPlain(value: JsonValue | undefined): boolean {
  return typeof value === 'string' ? value.isWellFormed() : Number.isFinite(value);
}

/** Whether what is JSON is an object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(why: string): GatewayError {
  return new GatewayError('gateway/entry-invalid', `An audit entry cannot be written: ${why}.`);
}
