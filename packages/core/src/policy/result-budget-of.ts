import type { ResultBudget, ResultOverflow } from '../tool/profile.ts';
import type { Tool } from '../tool/tool.ts';
import { readDeclared } from './declared.ts';
import { PolicyError } from './policy-error.ts';

/**
 * The result budget a tool declares, found through its wrapping chain, as a frozen copy; `undefined` when it declares
 * none and the gate's default holds.
 *
 * @throws {@link PolicyError} `policy/budget-invalid` for anything but a budget.
 */
export function resultBudgetOf<Context>(tool: Tool<Context>): ResultBudget | undefined {
  const declared = readDeclared(tool, 'resultBudget', 'policy/budget-invalid');
  return declared === undefined ? undefined : readResultBudget(declared.value);
}

/**
 * Validates and copies a result budget.
 *
 * @throws {@link PolicyError} `policy/budget-invalid`.
 */
export function readResultBudget(value: unknown): ResultBudget {
  if (typeof value !== 'object' || value === null) {
    refuse("A result budget is { bytes, overflow }; write bytes: 'none' for no bound.");
  }
  const { bytes, overflow, ...others } = readFields(value);
  if (Object.keys(others).length > 0) refuse('A result budget has bytes and overflow, and nothing else.');
  if (bytes !== 'none' && !(Number.isSafeInteger(bytes) && Number(bytes) > 0)) {
    refuse("The bytes of a result budget are a positive whole number, or 'none' for no bound.");
  }
  if (!isOverflow(overflow)) refuse('The overflow of a result budget is truncate, fail or store.');
  return Object.freeze({ bytes: bytes === 'none' ? bytes : Number(bytes), overflow });
}

function readFields(value: object): Record<string, unknown> {
  try {
    return { ...value };
  } catch (cause) {
    throw new PolicyError('policy/budget-invalid', 'Reading the result budget threw.', { cause });
  }
}

function isOverflow(value: unknown): value is ResultOverflow {
  return value === 'truncate' || value === 'fail' || value === 'store';
}

function refuse(message: string): never {
  throw new PolicyError('policy/budget-invalid', message);
}
