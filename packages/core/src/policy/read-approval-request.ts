import { type Digest, digest } from '../json/digest.ts';
import { freezeJson } from '../json/freeze-json.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { readJson } from '../json/read-json.ts';
import { writeJson } from '../json/write-json.ts';
import type { ExecutionClass } from '../tool/profile.ts';
import type { ApprovalRequest } from './approval.ts';
import { PolicyError } from './policy-error.ts';

/** An object with some fields around arguments, whose own bounds were checked when they were admitted. */
const BOUNDS = { maxBytes: 'none', maxDepth: 1_000 } as const;

const DIGEST = /^sha256:[0-9a-f]{64}$/;

/**
 * Reads an approval request that was stored, into a frozen copy. A record that cannot be read fails here and visibly,
 * and never as a request without a limit.
 *
 * @throws {@link PolicyError} `policy/request-invalid` for a missing or malformed field, and for arguments that are
 * not those of `argumentsDigest`.
 */
export function readApprovalRequest(stored: unknown): ApprovalRequest {
  const fields = readObject(stored);
  const { arguments: given, filled, principal } = fields;
  const args = isJsonObject(given) ? given : refuse('arguments is an object.');
  const argumentsDigest = readDigest(fields, 'argumentsDigest');
  if (digest(args) !== argumentsDigest) refuse('the arguments are not those of argumentsDigest.');
  if (filled !== undefined && !isStringArray(filled)) refuse('filled is an array of pointers.');
  if (principal !== undefined && typeof principal !== 'string') refuse('principal is a string.');
  return Object.freeze({
    id: readText(fields, 'id'),
    callId: readText(fields, 'callId'),
    tool: readText(fields, 'tool'),
    // A word outside the list stays as it is; it ranks highest.
    class: readText(fields, 'class') as ExecutionClass,
    contractDigest: readDigest(fields, 'contractDigest'),
    argumentsDigest,
    arguments: freezeJson(args),
    ...(filled === undefined ? {} : { filled: freezeJson(filled) }),
    ...(principal === undefined ? {} : { principal }),
    requestedAt: readTime(fields, 'requestedAt'),
    expiresAt: fields['expiresAt'] === 'none' ? 'none' : readTime(fields, 'expiresAt'),
  });
}

/** A detached copy: what was checked is what is kept. */
function readObject(stored: unknown): JsonObject {
  let copy: JsonValue;
  try {
    copy = readJson(writeJson(stored, BOUNDS), BOUNDS);
  } catch (cause) {
    throw new PolicyError('policy/request-invalid', 'An approval request is plain JSON.', { cause });
  }
  return isJsonObject(copy) ? copy : refuse('it is an object.');
}

function readText(fields: JsonObject, name: string): string {
  const value = fields[name];
  return typeof value === 'string' && value !== '' ? value : refuse(`${name} is a non-empty string.`);
}

function readDigest(fields: JsonObject, name: string): Digest {
  const value = readText(fields, name);
  return isDigest(value) ? value : refuse(`${name} is a digest.`);
}

function readTime(fields: JsonObject, name: string): number {
  const value = fields[name];
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
  return refuse(`${name} is a time in milliseconds since the epoch.`);
}

function isDigest(value: string): value is Digest {
  return DIGEST.test(value);
}

function isStringArray(value: JsonValue): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function refuse(message: string): never {
  throw new PolicyError('policy/request-invalid', `An approval request cannot be used: ${message}`);
}
