import { freezeJson, type JsonObject, toJsonValue } from '@toolgate/core';
import { MAX_IDENTIFIER_BYTES } from '../bounds.ts';
import { ControlError } from '../control-error.ts';
import { memberReader } from '../text/read-member.ts';
import { textFault } from '../text/text-fault.ts';
import type { ControlMeta } from './control-tool-provider.ts';

const IDENTIFIERS = ['traceId', 'aLegId', 'bLegId', 'candidateKey'] as const;
const IDENTIFIER_RULE = Object.freeze({ maxBytes: MAX_IDENTIFIER_BYTES });
const VIEWS = ['scope', 'session', 'workspace'] as const;

type MemberReader = ReturnType<typeof memberReader>;
type MetaDraft = { -readonly [Member in keyof ControlMeta]: ControlMeta[Member] };

/**
 * Checks where a call comes from.
 *
 * @returns A deeply frozen copy; the views in it are copies as well.
 * @throws ControlError `control/meta-invalid`.
 */
export function validateMeta(meta: ControlMeta): ControlMeta {
  const member = readerOf(meta);
  const copy: MetaDraft = { attemptSeq: 0, ordinaryCalls: 0 };
  readIdentifiers(member, copy);
  copy.attemptSeq = readCount(member('attemptSeq'), 'attemptSeq');
  copy.ordinaryCalls = readCount(member('ordinaryCalls') ?? 0, 'ordinaryCalls');
  readViews(member, copy);
  return Object.freeze(copy);
}

/**
 * The same of the first attempt of a request. Its members are read one by one: an object that is spread and then goes on
 * takes an engine longer than all the checks.
 *
 * @throws ControlError `control/meta-invalid`.
 */
export function firstMeta(
  origin: Omit<ControlMeta, 'attemptSeq' | 'ordinaryCalls'> | undefined,
  ordinaryCalls: number,
): ControlMeta {
  const copy: MetaDraft = { attemptSeq: 0, ordinaryCalls };
  if (origin === undefined) return Object.freeze(copy);
  const member = readerOf(origin);
  readIdentifiers(member, copy);
  readViews(member, copy);
  return Object.freeze(copy);
}

function readerOf(value: unknown): MemberReader {
  return memberReader(value, 'control/meta-invalid', 'the provenance');
}

function readIdentifiers(member: MemberReader, into: MetaDraft): void {
  for (const name of IDENTIFIERS) {
    const value = member(name);
    if (value === undefined) continue;
    const fault = textFault(value, IDENTIFIER_RULE);
    if (fault !== undefined || typeof value !== 'string') throw invalid(`${name} ${fault}.`);
    into[name] = value;
  }
}

function readViews(member: MemberReader, into: MetaDraft): void {
  for (const name of VIEWS) {
    const value = member(name);
    if (value !== undefined) into[name] = readView(value, name);
  }
}

function readCount(value: unknown, name: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw invalid(`${name} must be a whole number from 0 on.`);
}

function readView(value: unknown, name: string): JsonObject {
  try {
    const copy = toJsonValue(value);
    if (typeof copy === 'object' && copy !== null && !Array.isArray(copy))
      return freezeJson(copy as JsonObject);
  } catch (cause) {
    throw new ControlError('control/meta-invalid', `${name} must be plain data.`, { cause });
  }
  throw invalid(`${name} must be an object.`);
}

function invalid(message: string): ControlError {
  return new ControlError('control/meta-invalid', message);
}
