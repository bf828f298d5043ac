import { quoteShort } from '../json/quote-short.ts';
import { ContractError } from './contract-error.ts';

const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Whether a value can be the name of a tool: 1 to 64 of `A-Z a-z 0-9 _ -`. Nothing is trimmed or folded. */
export function isToolName(value: unknown): value is string {
  return typeof value === 'string' && NAME.test(value);
}

/**
 * The name, unchanged.
 *
 * @throws {@link ContractError} `tool/name-invalid`
 */
export function checkToolName(value: unknown): string {
  if (isToolName(value)) return value;
  const found = typeof value === 'string' ? quoteShort(value, 40) : typeof value;
  throw new ContractError(
    'tool/name-invalid',
    `A tool name has 1 to 64 of the characters A-Z a-z 0-9 _ and -; found ${found}.`,
  );
}

/** Two names with one fold look alike to a model or a reviewer: letter case, and `-` against `_`. */
export function foldToolName(name: string): string {
  return name.toLowerCase().replaceAll('-', '_');
}
