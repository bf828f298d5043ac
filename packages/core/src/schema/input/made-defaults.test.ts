import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { digest } from '../../json/digest.ts';
import type { InputSource } from './input.ts';
import { readInput } from './read-input.ts';

const today = (): string => new Date().toISOString().slice(0, 10);
let count = 0;

afterEach(() => {
  vi.useRealTimers();
});

const made: readonly (readonly [string, () => InputSource])[] = [
  ['an id of Zod', () => z.object({ a: z.string().default(() => crypto.randomUUID()) })],
  ['a count of Zod', () => z.object({ a: z.number().default(() => ++count) })],
  ['the time of Zod', () => z.object({ a: z.number().default(() => Date.now()) })],
  ['seconds of Zod', () => z.object({ a: z.int().default(() => Math.floor(Date.now() / 1_000)) })],
  ['an hour from now', () => z.object({ a: z.number().default(() => Date.now() + 3_600_000) })],
  ['a month from now', () => z.object({ a: z.number().default(() => Date.now() + 30 * 86_400_000) })],
  ['the day of Zod', () => z.object({ a: z.string().default(today) })],
  ['what Zod puts before its check', () => z.object({ a: z.string().trim().prefault(today) })],
  [
    'a time within an object',
    () => z.object({ a: z.object({ at: z.number() }).default(() => ({ at: Date.now() })) }),
  ],
  [
    'a time within a list',
    () => z.object({ a: z.array(z.object({ at: z.number().default(() => Date.now()) })) }),
  ],
  [
    'a time of Valibot',
    () => toStandardJsonSchema(v.object({ a: v.optional(v.number(), () => Date.now()) })),
  ],
  ['an id of ArkType', () => type({ a: type('string').default(() => crypto.randomUUID()) })],
];

const kept: readonly (readonly [string, () => InputSource, unknown])[] = [
  ['a number', () => z.object({ a: z.number().default(5) }), 5],
  ['a year', () => z.object({ a: z.number().default(2_026) }), 2_026],
  ['a date', () => z.object({ a: z.string().default('2020-01-31') }), '2020-01-31'],
  ['a version', () => z.object({ a: z.string().default('v1.2.3') }), 'v1.2.3'],
  ['an empty list that a function makes', () => z.object({ a: z.array(z.string()).default(() => []) }), []],
  [
    'an object that a function makes',
    () => z.object({ a: z.looseObject({}).default(() => ({ b: 1 })) }),
    { b: 1 },
  ],
  ['a text of Valibot', () => toStandardJsonSchema(v.object({ a: v.optional(v.string(), 'x') })), 'x'],
];

describe('a default that a function makes anew', () => {
  test.each(made)('is neither advertised nor the same for every call: %s', (_, source) => {
    const first = readInput(source()).json;
    expect(JSON.stringify(first)).not.toContain('"default"');
    expect(digest(readInput(source()).json)).toBe(digest(first));
  });

  test('is seen though the clock went on before it was made, and not behind it', () => {
    let asked = 0;
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => {
      asked += 1;
      return asked === 1 ? 1_000_000 : 1_000_001 + Math.floor(asked / 10);
    });
    try {
      const later = z.object({ a: z.number().default(() => Date.now() + 30 * 86_400_000) });
      expect(JSON.stringify(readInput(later).json)).not.toContain('"default"');
    } finally {
      clock.mockRestore();
    }
  });

  test('is seen though the clock stands still', () => {
    vi.useFakeTimers();
    const { json } = readInput(
      z.object({ a: z.string().default(today), b: z.number().default(() => Date.now()) }),
    );
    expect(JSON.stringify(json)).not.toContain('"default"');
  });
});

test.each(kept)('a default that is always the same stays: %s', (_, source, value) => {
  const { json } = readInput(source());
  expect(json).toMatchObject({ properties: { a: { default: value } } });
});
