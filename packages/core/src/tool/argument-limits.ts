import { ContractError } from './contract-error.ts';

/** Bounds of the argument text of one contract. */
export interface ArgumentLimits {
  readonly maxBytes: number | 'none';
  readonly maxDepth: number;
}

/** 1 MiB and 64 levels. */
export const DEFAULT_ARGUMENT_LIMITS: ArgumentLimits = Object.freeze({ maxBytes: 1_048_576, maxDepth: 64 });

/**
 * Bounds from options; absent ones have their defaults.
 *
 * @throws {@link ContractError} `tool/options-invalid`
 */
export function toArgumentLimits(
  maxBytes: number | 'none' | undefined,
  maxDepth: number | undefined,
): ArgumentLimits {
  if (maxBytes === undefined && maxDepth === undefined) return DEFAULT_ARGUMENT_LIMITS;
  if (maxBytes !== undefined && maxBytes !== 'none' && !isCount(maxBytes)) {
    throw new ContractError(
      'tool/options-invalid',
      "maxArgumentBytes has to be a whole number from 2 on, or 'none'.",
    );
  }
  if (maxDepth !== undefined && (!isCount(maxDepth) || maxDepth > 1_000)) {
    throw new ContractError(
      'tool/options-invalid',
      'maxArgumentDepth has to be a whole number from 2 to 1,000.',
    );
  }
  return Object.freeze({
    maxBytes: maxBytes ?? DEFAULT_ARGUMENT_LIMITS.maxBytes,
    maxDepth: maxDepth ?? DEFAULT_ARGUMENT_LIMITS.maxDepth,
  });
}

/** Two bytes make the shortest arguments, `{}`. */
function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 2;
}
