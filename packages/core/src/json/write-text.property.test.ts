import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonError } from './json-error.ts';
import { copyInto } from './to-json-value.ts';
import { MENDED } from './write-rules.ts';
import { createLabelMemory, writeText } from './write-text.ts';
import { startWriting, type Writing } from './writing.ts';

/** Makes a value anew each time, and notes each look at it. */
type Recipe = (looks: string[]) => unknown;

const name = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    '1',
    '',
    '__proto__',
    'toJSON',
    'constructor',
    'a"b',
    '\\',
    '\n',
    'é',
    '😀',
    '\ud800',
    '\ud801',
  ),
  fc.string({ unit: 'binary', maxLength: 4 }),
);
const scalar: fc.Arbitrary<unknown> = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.string({ unit: 'binary' }),
  fc.string(),
  fc.constantFrom(
    0,
    -0,
    1e21,
    'x'.repeat(5_000),
    '\ud800',
    'a\udfffb',
    '\u2028"',
    null,
    true,
    false,
    undefined,
  ),
);
const oddity: fc.Arbitrary<Recipe> = fc.constantFrom<Recipe>(
  () => 1n,
  () => Symbol('s'),
  () => () => 1,
  () => new Date(0),
  () => new Date(Number.NaN),
  () => new Map([[1, 2]]),
  () => Object('boxed'),
  () =>
    new (class Point {
      x = 1;
    })(),
  () => new Uint8Array(2),
  () => Object.assign([], { length: 2 }),
  () => Object.assign(Object.create(null), { bare: true }),
  () => Object.create({ inherited: 1 }),
  () => Array.from({ length: 40 }, (_, index) => index),
  () => Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`m${index}`, 'y'.repeat(200)])),
  () => {
    const self: Record<string, unknown> = { first: [1] };
    self['self'] = self;
    return self;
  },
  (looks) => ({
    get boom(): unknown {
      looks.push('boom');
      throw new Error('from a getter');
    },
  }),
);

const { recipe } = fc.letrec<{ recipe: Recipe }>((tie) => ({
  recipe: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    scalar.map(
      (value): Recipe =>
        () =>
          value,
    ),
    oddity,
    fc.array(tie('recipe'), { maxLength: 5 }).map(
      (items): Recipe =>
        (looks) =>
          items.map((item) => item(looks)),
    ),
    members(tie('recipe')).map(
      (entries): Recipe =>
        (looks) =>
          plain(entries, looks),
    ),
    members(tie('recipe')).map(
      (entries): Recipe =>
        (looks) =>
          watched(plain(entries, looks), looks),
    ),
    members(tie('recipe')).map(
      (entries): Recipe =>
        (looks) =>
          withGetters(entries, looks),
    ),
    tie('recipe').map(
      (inner): Recipe =>
        (looks) => ({
          toJSON: (at: string) => {
            looks.push(`toJSON ${at}`);
            return inner(looks);
          },
        }),
    ),
  ),
}));

function members(inner: fc.Arbitrary<Recipe>): fc.Arbitrary<[string, Recipe][]> {
  return fc.uniqueArray(fc.tuple(name, inner), { maxLength: 5, selector: ([own]) => own });
}

function plain(entries: readonly [string, Recipe][], looks: string[]): object {
  return Object.fromEntries(entries.map(([own, inner]) => [own, inner(looks)]));
}

function withGetters(entries: readonly [string, Recipe][], looks: string[]): object {
  const holder = {};
  for (const [own, inner] of entries) {
    const get = (): unknown => {
      looks.push(`get ${own}`);
      return inner(looks);
    };
    Object.defineProperty(holder, own, { enumerable: true, get });
  }
  return holder;
}

/** Notes reads of members; how often the list of names is asked for is nobody's business. */
function watched(target: object, looks: string[]): object {
  return new Proxy(target, {
    get: (_, own) => {
      looks.push(`read ${String(own)}`);
      return Reflect.get(target, own);
    },
  });
}

/** What comes out of a walk: the text and what was mended, or the error, and the looks at the value. */
function walk(make: Recipe, write: (writing: Writing, value: unknown) => string): unknown {
  const looks: string[] = [];
  const value = make(looks);
  const writing = startWriting(MENDED);
  try {
    return { text: write(writing, value), mended: writing.mended, left: writing.budget, looks };
  } catch (error) {
    if (!JsonError.is(error)) throw error;
    return { code: error.code, pointer: error.pointer, message: error.message, looks };
  }
}

test('a value is written as its copy is, after the same looks at it, or refused with the same error', () => {
  fc.assert(
    fc.property(recipe, (make) => {
      const copied = walk(make, (writing, value) => JSON.stringify(copyInto(writing, value)));
      const memory = createLabelMemory();
      const walked = (): unknown => walk(make, (writing, value) => writeText(writing, value, memory));
      expect(walked()).toStrictEqual(copied);
      // Again, with the labels of the first time.
      expect(walked()).toStrictEqual(copied);
    }),
    { numRuns: 3_000 },
  );
});

test.each([
  ['many small items', Array.from({ length: 3_000 }, (_, index) => [index])],
  [
    'a row of long texts',
    { rows: Array.from({ length: 20 }, () => ({ text: 'é'.repeat(900), more: ['"', {}] })) },
  ],
  ['deep nesting', JSON.parse(`${'{"a":['.repeat(32)}${']}'.repeat(32)}`) as unknown],
])('%s are written as JSON.stringify writes them', (_name, value) => {
  expect(writeText(startWriting(MENDED), value, createLabelMemory())).toBe(JSON.stringify(value));
});
