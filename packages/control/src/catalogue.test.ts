import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Numbers of the behaviour catalogue. */
const CASES = 86;

test('every number of the catalogue begins the title of a test', () => {
  const root = new URL('./', import.meta.url);
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.test.ts'),
  );
  const numbers = new Set(
    files.flatMap((file) => {
      const text = readFileSync(new URL(file, root), 'utf8');
      return [...text.matchAll(/[(]\s*'(\d+) /g)].map(([, number]) => Number(number));
    }),
  );
  const missing = Array.from({ length: CASES }, (_, at) => at + 1).filter((number) => !numbers.has(number));
  expect(missing).toEqual([]);
  expect([...numbers].every((number) => number >= 1 && number <= CASES)).toBe(true);
});
