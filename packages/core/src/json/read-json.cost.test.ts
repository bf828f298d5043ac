import { expect, test } from 'vitest';
import { GROWTH, growth } from '../../../../test/support/growth.ts';
import { readJson } from './read-json.ts';

const SIZE = 21_000;

/** Shapes that a stranger may send, made of about as many characters as asked for. */
const SHAPES: Readonly<Record<string, (size: number) => string>> = {
  'plain text': (size) => `"${'a'.repeat(size)}"`,
  'text beyond ASCII': (size) => `"${'é€😀'.repeat(size / 4)}"`,
  'replacement characters': (size) => `"${'\ufffd'.repeat(size)}"`,
  'escaped quotes': (size) => `"${'\\"'.repeat(size / 2)}"`,
  backslashes: (size) => `"${'\\\\'.repeat(size / 2)}"`,
  'long runs of backslashes before quotes': (size) => `"${`${'\\'.repeat(99)}"`.repeat(size / 100)}"`,
  'escaped letters': (size) => `"${'\\u0061'.repeat(size / 6)}"`,
  'long strings with one late escape': (size) => `"${'a'.repeat(size)}\\u0061"`,
  'an escaped pair after each long run': (size) =>
    `"${`${'a'.repeat(120)}\\ud83d\\ude00`.repeat(size / 132)}"`,
  'white space': (size) => `[${' '.repeat(size)}]`,
  'empty strings': (size) => `[${'"",'.repeat(size / 3)}1]`,
  'open strings': (size) => `[${'",'.repeat(size / 2)}`,
  'one wide object': (size) =>
    `{${Array.from({ length: size / 10 }, (_, index) => `"name${index}":1`).join(',')}}`,
  'wide objects': (size) =>
    `[${`{${Array.from({ length: 65 }, (_, index) => `"n${index}":1`).join(',')}},`.repeat(size / 600)}1]`,
  'an escaped name, then objects': (size) => `{"\\u0061":[${'{"a":1,"b":2},'.repeat(size / 14)}1]}`,
  'long numbers': (size) => `[${'1234567890123456.5,'.repeat(size / 19)}1]`,
  'exact large integers': (size) => `[${'18446744073709551616,'.repeat(size / 21)}1]`,
  'one endless number': (size) => `[0.${'1'.repeat(size)}]`,
  'one endless integer': (size) => `[${'1'.repeat(size)}]`,
  'large exponents': (size) => `[${'1e300,'.repeat(size / 6)}1]`,
  'an endless exponent': (size) => `[1e-${'9'.repeat(size)}]`,
  'open arrays': (size) => '['.repeat(size),
  'closed arrays': (size) => `${'['.repeat(size / 2)}${']'.repeat(size / 2)}`,
  'open objects': (size) => '{"a":'.repeat(size / 5),
  'a fault at the end': (size) => `[${'{"a":"b"},'.repeat(size / 10)}x]`,
  'many lines before a fault': (size) => `[${'1,\r\n'.repeat(size / 4)}x]`,
};

const NONE = { maxBytes: 'none', maxDepth: 'none' } as const;

function attempt(text: string): void {
  try {
    readJson(text, NONE);
  } catch {
    // A refusal costs as well.
  }
}

test.each(Object.entries(SHAPES))(
  '%s: eight times the text costs far less than 64 times as much',
  (_, make) => {
    const [small, large] = [make(SIZE), make(SIZE * GROWTH)];
    expect(large.length / small.length).toBeGreaterThan(GROWTH - 1);
    expect(growth((size) => attempt(size === SIZE ? small : large), SIZE)).toBeLessThan(GROWTH * 4);
  },
);
