import { ignoreThrown } from '../internal/ignore-thrown.ts';
import { maxIssues } from '../schema/explain/explanation.ts';
import type { Issue } from '../schema/schema.ts';
import { ContractError } from './contract-error.ts';
import type { ValidatorVerdict } from './input-validator.ts';

/** The answer of a validator after it was contained. */
export type ValidatorRun =
  | { readonly kind: 'valid'; readonly value: unknown }
  | { readonly kind: 'invalid'; readonly issues: readonly Issue[] }
  | { readonly kind: 'defect'; readonly cause: unknown };

const MAX_TEXT = 300;

/**
 * Runs a validator that may do anything: throw, answer with a promise, or with nonsense. None of that is a pass.
 *
 * @param value - Given away: the validator may change or keep it.
 */
export function runValidator<Value>(
  validator: (value: Value) => ValidatorVerdict,
  value: Value,
): ValidatorRun {
  try {
    return readVerdict(validator(value), value);
  } catch (cause) {
    ignoreThrown(cause);
    return { kind: 'defect', cause };
  }
}

function readVerdict(verdict: unknown, value: unknown): ValidatorRun {
  if (typeof verdict !== 'object' || verdict === null) return nonsense();
  const kind: unknown = Reflect.get(verdict, 'kind');
  if (kind === 'valid') return { kind, value: 'value' in verdict ? verdict.value : value };
  if (kind === 'invalid') return { kind, issues: readIssues(Reflect.get(verdict, 'issues')) };
  const then: unknown = Reflect.get(verdict, 'then');
  if (kind === 'asynchronous') return asynchronous();
  if (typeof then !== 'function') return nonsense();
  // Its later rejection would otherwise end the process.
  Promise.resolve(verdict).then(undefined, ignoreThrown);
  return asynchronous();
}

function asynchronous(): ValidatorRun {
  return defect('The input validator does not answer at once; checks with I/O belong in the handler.');
}

function nonsense(): ValidatorRun {
  return defect("The input validator gave no verdict: { kind: 'valid' } or { kind: 'invalid', issues }.");
}

function defect(message: string): ValidatorRun {
  return { kind: 'defect', cause: new ContractError('tool/validator-invalid', message) };
}

function readIssues(issues: unknown): readonly Issue[] {
  const read: Issue[] = [];
  if (Array.isArray(issues)) {
    for (let index = 0; index < issues.length && index < maxIssues; index++)
      read.push(readIssue(issues[index]));
  }
  if (read.length === 0) read.push(readIssue(undefined));
  return Object.freeze(read);
}

function readIssue(raw: unknown): Issue {
  const text = (name: keyof Issue, fallback: string): string => {
    const value: unknown = typeof raw === 'object' && raw !== null ? Reflect.get(raw, name) : undefined;
    return typeof value === 'string' ? value.slice(0, MAX_TEXT).toWellFormed() : fallback;
  };
  return Object.freeze({
    pointer: text('pointer', ''),
    keyword: text('keyword', 'validator'),
    expected: text('expected', ''),
    actual: text('actual', ''),
    message: text('message', 'The value is not accepted.'),
  });
}
