import { quoteShort } from '../json/quote-short.ts';
import { ContractError } from './contract-error.ts';
import type { Profile, ResultBudget } from './profile.ts';
import { isToolName } from './tool-name.ts';

const CLASSES: readonly unknown[] = ['unclassified', 'read', 'write', 'external'];
const OVERFLOWS: readonly unknown[] = ['truncate', 'fail', 'store'];
const PROFILE_FIELDS: readonly string[] = ['class', 'resourceKey', 'timeoutMs', 'idempotent', 'checkWith'];
const BUDGET_FIELDS: readonly string[] = ['bytes', 'overflow'];

/**
 * A frozen copy of a profile.
 *
 * @throws {@link ContractError} `tool/options-invalid`, with the fix.
 */
export function checkProfile(raw: unknown): Profile {
  const profile = copyFields('profile', raw, PROFILE_FIELDS);
  const { class: word, resourceKey: key, timeoutMs, idempotent, checkWith } = profile;
  need(
    word === undefined || CLASSES.includes(word),
    'profile.class is unclassified, read, write or external.',
  );
  need(
    key === undefined || typeof key === 'function' || (typeof key === 'string' && key.trim() !== ''),
    'profile.resourceKey is a non-blank string, or a function from arguments to one.',
  );
  need(
    timeoutMs === undefined || timeoutMs === 'none' || isPositive(timeoutMs),
    "profile.timeoutMs is a positive number of milliseconds, or 'none'.",
  );
  need(idempotent === undefined || typeof idempotent === 'boolean', 'profile.idempotent is true or false.');
  need(checkWith === undefined || isToolName(checkWith), 'profile.checkWith is the name of a tool.');
  return Object.freeze(profile) as Profile;
}

/**
 * A frozen copy of a result budget.
 *
 * @throws {@link ContractError} `tool/options-invalid`, with the fix.
 */
export function checkResultBudget(raw: unknown): ResultBudget {
  const budget = copyFields('resultBudget', raw, BUDGET_FIELDS);
  const { bytes, overflow } = budget;
  need(
    bytes === 'none' || (isPositive(bytes) && Number.isSafeInteger(bytes)),
    "resultBudget.bytes is a positive whole number, or 'none'.",
  );
  need(OVERFLOWS.includes(overflow), 'resultBudget.overflow is truncate, fail or store.');
  return Object.freeze(budget) as unknown as ResultBudget;
}

function copyFields(name: string, raw: unknown, fields: readonly string[]): Record<string, unknown> {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    throw invalid(`${name} has to be an object; leave it out for the default.`);
  }
  const copy: Record<string, unknown> = { ...raw };
  for (const [field, value] of Object.entries(copy)) {
    if (!fields.includes(field)) {
      const shown = quoteShort(field, 40);
      throw invalid(`${name} has an unknown field ${shown}; it takes ${fields.join(', ')}.`);
    }
    need(value !== undefined, `${name}.${field} is undefined; leave it out for the default.`);
  }
  return copy;
}

function isPositive(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}

function need(condition: boolean, message: string): void {
  if (!condition) throw invalid(message);
}

function invalid(message: string): ContractError {
  return new ContractError('tool/options-invalid', message);
}
