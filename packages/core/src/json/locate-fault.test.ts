import fc from 'fast-check';
import { expect, test } from 'vitest';
import { appendPointer } from './json-pointer.ts';
import { readJson } from './read-json.ts';

/** What became of a text: its value, or the error. */
function read(text: string): { readonly value: unknown } | { readonly error: unknown } {
  try {
    return { value: readJson(text) };
  } catch (error) {
    return { error };
  }
}

/** Faulty scalars with their codes; each faults at its own beginning or at the given offset in it. */
const FAULTY = [
  ['1e999', 'json/number-range', 0],
  ['9007199254740993', 'json/inexact-integer', 0],
  ['"ab\\ud800"', 'json/lone-surrogate', 3],
  ['"\ufdd0"', 'json/noncharacter', 1],
  ['"\\q"', 'json/bad-escape', 1],
  ['{"a":0,"a":0}', 'json/duplicate-member', 7],
  ['nil', 'json/unexpected-token', 0],
] as const;

test('the pointer, line and column of a fault lead to it', () => {
  const step = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 6 }), fc.nat({ max: 4 }));
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 8 }),
      fc.constantFrom(...FAULTY),
      (steps, [faulty, code, shift]) => {
        fc.pre(!steps.includes('__proto__') && !steps.includes('prototype'));
        let before = '';
        let pointer = '';
        for (const token of steps) {
          pointer = appendPointer(pointer, token);
          before +=
            typeof token === 'number' ? `[\n${'0, '.repeat(token)}` : `{ ${JSON.stringify(token)} :\r\n`;
        }
        if (code === 'json/duplicate-member') pointer = appendPointer(pointer, 'a');
        const lines = before.split(/\r\n|\n/);
        const reading = read(`${before}${faulty} the rest`);
        expect(reading).toHaveProperty('error', expect.objectContaining({ code, pointer }));
        expect(reading).toMatchObject({
          error: {
            offset: before.length + shift,
            line: lines.length,
            column: (lines.at(-1)?.length ?? 0) + shift + 1,
          },
        });
      },
    ),
    { numRuns: 1_000 },
  );
});

/** A name in a spelling of its own: each unit raw or escaped. */
function respell(name: string, choices: readonly boolean[]): string {
  const units = Array.from({ length: name.length }, (_, index) => {
    const unit = name.charCodeAt(index);
    if (choices[index % choices.length] === true) return `\\u${unit.toString(16).padStart(4, '0')}`;
    return JSON.stringify(name.charAt(index)).slice(1, -1);
  });
  return `"${units.join('')}"`;
}

test('a name twice in one object is found in any spelling, among any others', () => {
  const name = fc.string({ unit: 'grapheme-ascii', maxLength: 8 });
  const spelling = fc.array(fc.boolean(), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(
      fc.uniqueArray(name, { minLength: 1, maxLength: 90 }),
      fc.nat(),
      spelling,
      (names, pick, choices) => {
        fc.pre(!names.includes('__proto__'));
        const twice = names[pick % names.length] ?? '';
        const members = names.map((each) => `${JSON.stringify(each)}:0`).join(',');
        expect(read(`{${members}}`)).toHaveProperty('value');
        expect(read(`{${members},${respell(twice, choices)}:0}`)).toMatchObject({
          error: {
            code: 'json/duplicate-member',
            offset: members.length + 2,
            pointer: appendPointer('', twice),
          },
        });
      },
    ),
    { numRuns: 1_000 },
  );
});
