import { freezeJson, type JsonObject, toJsonValue } from '@toolgate/core';
import { MAX_IDENTIFIER_BYTES } from '../bounds.ts';
import { ControlError } from '../control-error.ts';
import { memberReader } from '../text/read-member.ts';
import { textFault } from '../text/text-fault.ts';
import type { ControlMeta } from './control-tool-provider.ts';

const IDENTIFIERS = ['traceId', 'aLegId', 'bLegId', 'candidateKey'] as const;
const VIEWS = ['scope', 'session', 'workspace'] as const;

/**
 * Checks where a call comes from.
 *
 * @returns A deeply frozen copy; the views in it are copies as well.
 * @throws ControlError `control/meta-invalid`.
 */
export function validateMeta(meta: ControlMeta): ControlMeta {
  const member = memberReader(meta, 'control/meta-invalid', 'the provenance');
  const copy: Record<string, unknown> = {};
  for (const name of IDENTIFIERS) {
    const value = member(name);
    if (value === undefined) continue;
    const fault = textFault(value, { maxBytes: MAX_IDENTIFIER_BYTES });
    if (fault !== undefined) throw invalid(`${name} ${fault}.`);
    copy[name] = value;
  }
  const attemptSeq = readCount(member('attemptSeq'), 'attemptSeq');
  const ordinaryCalls = readCount(member('ordinaryCalls') ?? 0, 'ordinaryCalls');
  for (const name of VIEWS) {
    const value = member(name);
    if (value !== undefined) copy[name] = readView(value, name);
  }
  return Object.freeze({ ...copy, attemptSeq, ordinaryCalls });
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
