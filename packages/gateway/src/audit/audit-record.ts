import { hash } from 'node:crypto';
import { canonicalJson, type Digest, JsonError, type JsonValue, readJson } from '@toolgate/core';
import { type AuditEntry, type AuditHead, type AuditRecord, auditKinds } from '../ports/audit-log.ts';
import { CHAIN_START } from '../storage/migrations.ts';
import { canonicalData, isObject, MAX_DATA_BYTES } from './audit-entry.ts';

const DIGEST = /^sha256:[0-9a-f]{64}$/;

/** The head of a chain without records. */
export const EMPTY_HEAD: AuditHead = Object.freeze({ seq: 0, digest: CHAIN_START });

/**
 * The next link of a chain.
 *
 * @param text - The canonical JSON of the data, where it is at hand.
 * @throws JsonError where no digest can be made of the actor.
 */
export function sealRecord(
  { kind, actor, data }: AuditEntry,
  at: number,
  head: AuditHead,
  text: string = canonicalData(data),
): AuditRecord {
  const seq = head.seq + 1;
  const previous = head.digest;
  const digest = digestOf(canonicalText({ kind, actor, seq, at, previous }, text));
  return Object.freeze({ kind, actor, data, seq, at, previous, digest });
}

/** Whether a record has the digest that it ought to have. */
export function isSealed(record: AuditRecord): boolean {
  return digestOf(canonicalText(record, canonicalData(record.data))) === record.digest;
}

/** The canonical JSON of what a digest is made of: its members are in order, and all but the data are flat. */
function canonicalText(record: Omit<AuditRecord, 'data' | 'digest'>, data: string): string {
  const { kind, actor, seq, at, previous } = record;
  // For a text without lone surrogates canonical JSON is what the engine prints.
  const actorText = actor.isWellFormed() ? JSON.stringify(actor) : canonicalJson(actor);
  return `{"actor":${actorText},"at":${at},"data":${data},"kind":"${kind}","previous":"${previous}","seq":${seq}}`;
}

function digestOf(text: string): Digest {
  return `sha256:${hash('sha256', text, 'hex')}`;
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

/** Whatever an entry may hold: a model chooses names and ids, and must not be able to make a chain unreadable. */
const READING = {
  maxBytes: MAX_DATA_BYTES * 2,
  maxDepth: 100,
  noncharacters: 'allow',
  forbiddenMembers: 'allow',
} as const;

/** A value from its canonical JSON; `undefined` for every other text. */
export function readCanonical(text: string): JsonValue | undefined {
  try {
    const value = readJson(text, READING);
    return canonicalJson(value) === text ? value : undefined;
  } catch (error) {
    if (JsonError.is(error)) return undefined;
    throw error;
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isDigest(value: unknown): value is Digest {
  return typeof value === 'string' && DIGEST.test(value);
}
