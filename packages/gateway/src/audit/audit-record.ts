import { createHash } from 'node:crypto';
import {
  canonicalJson,
  type Digest,
  freezeJson,
  JsonError,
  type JsonObject,
  type JsonValue,
  readJson,
  toJsonValue,
} from '@toolgate/core';
import { type AuditEntry, type AuditHead, type AuditRecord, auditKinds } from '../ports/audit-log.ts';
import { GatewayError } from '../ports/gateway-error.ts';
import { CHAIN_START } from '../storage/migrations.ts';

/** Bytes of the canonical JSON of what one entry says. */
const MAX_DATA_BYTES = 16_384;
const MAX_ACTOR_LENGTH = 256;
const CONTROL = /\p{Cc}/u;
const DIGEST = /^sha256:[0-9a-f]{64}$/;

/** The head of a chain without records. */
export const EMPTY_HEAD: AuditHead = Object.freeze({ seq: 0, digest: CHAIN_START });

/**
 * A copy of an entry that can be written down.
 *
 * @throws GatewayError `gateway/entry-invalid`.
 */
export function checkEntry(entry: AuditEntry): AuditEntry {
  const { kind, actor, data } = entry;
  if (!auditKinds.includes(kind)) throw invalid('its kind is not on the list');
  if (typeof actor !== 'string' || actor === '' || actor.length > MAX_ACTOR_LENGTH || CONTROL.test(actor)) {
    throw invalid(`its actor is a text of 1 to ${MAX_ACTOR_LENGTH} characters without controls`);
  }
  const copy = copyData(data);
  if (Buffer.byteLength(canonicalJson(copy)) > MAX_DATA_BYTES)
    throw invalid(`its data is larger than ${MAX_DATA_BYTES} bytes`);
  return Object.freeze({ kind, actor, data: copy });
}

function copyData(data: unknown): JsonObject {
  try {
    const copy = freezeJson(toJsonValue(data));
    if (isObject(copy)) return copy;
  } catch (cause) {
    if (!JsonError.is(cause)) throw cause;
    throw new GatewayError('gateway/entry-invalid', 'An audit entry holds plain JSON.', { cause });
  }
  throw invalid('its data is an object');
}

/** The next link of a chain. */
export function sealRecord(entry: AuditEntry, at: number, head: AuditHead): AuditRecord {
  const open = { ...entry, seq: head.seq + 1, at, previous: head.digest };
  return Object.freeze({ ...open, digest: digestOf(open) });
}

/** The digest that a record ought to have. */
export function digestOf(record: Omit<AuditRecord, 'digest'>): Digest {
  const { kind, actor, data, seq, at, previous } = record;
  const text = canonicalJson({ kind, actor, data, seq, at, previous });
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/** One line of an export, without its line feed. */
export function writeRecord(record: AuditRecord): string {
  const { kind, actor, data, seq, at, previous, digest } = record;
  return canonicalJson({ kind, actor, data, seq, at, previous, digest });
}

/** A record from the members that it was stored with; `undefined` when they are not those of a record. */
export function toRecord(members: unknown): AuditRecord | undefined {
  if (!isObject(members)) return undefined;
  const { seq, at, kind, actor, data, previous, digest, ...others } = members;
  const known = auditKinds.find((one) => one === kind);
  if (known === undefined || Object.keys(others).length > 0) return undefined;
  if (!isCount(seq) || !isCount(at) || typeof actor !== 'string' || !isObject(data)) return undefined;
  if (!isDigest(previous) || !isDigest(digest)) return undefined;
  return Object.freeze({ seq, at, kind: known, actor, data, previous, digest });
}

/** A record from a line that {@link writeRecord} made, and from no other spelling of it. */
export function readRecord(line: string): AuditRecord | undefined {
  const record = toRecord(readCanonical(line));
  return record !== undefined && writeRecord(record) === line ? record : undefined;
}

/** A value from its canonical JSON; `undefined` for every other text. */
export function readCanonical(text: string): JsonValue | undefined {
  try {
    const value = readJson(text, { maxBytes: MAX_DATA_BYTES * 2 });
    return canonicalJson(value) === text ? value : undefined;
  } catch (error) {
    if (JsonError.is(error)) return undefined;
    throw error;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isDigest(value: unknown): value is Digest {
  return typeof value === 'string' && DIGEST.test(value);
}

function invalid(why: string): GatewayError {
  return new GatewayError('gateway/entry-invalid', `An audit entry cannot be written: ${why}.`);
}
