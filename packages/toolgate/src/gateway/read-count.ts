import { InvalidArgumentError } from 'commander';

/** A whole number of up to nine digits. */
export function readCount(text: string): number {
  if (/^\d{1,9}$/u.test(text)) return Number(text);
  throw new InvalidArgumentError('It is a whole number.');
}

/** The same, and at least 1. */
export function readAmount(text: string): number {
  const count = readCount(text);
  if (count > 0) return count;
  throw new InvalidArgumentError('It is a whole number from 1.');
}
