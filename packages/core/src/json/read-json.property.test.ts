import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findFault } from './find-fault.ts';
import { JsonError } from './json-error.ts';
import type { JsonFault } from './json-fault.ts';
import { readJson } from './read-json.ts';
import { toReadRules } from './read-rules.ts';
import { screen } from './screen.ts';

const STRICT = toReadRules(undefined);
const RUNS = { numRuns: Number(process.env['TOOLGATE_FUZZ_RUNS'] ?? 2_000) };

/** What `JSON.parse` takes and I-JSON refuses. */
const NAMED = new Set([
  'json/duplicate-member',
  'json/forbidden-member',
  'json/inexact-integer',
  'json/lone-surrogate',
  'json/noncharacter',
  'json/number-range',
  'json/too-deep',
]);

/** Pieces that a reader may trip over. */
const TROUBLE = [
  ...[
    '"',
    '\\',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '-',
    '.',
    'e',
    'E',
    '+',
    '0',
    '1',
    '9',
    ' ',
    '\n',
    '\t',
    'u',
    'a',
  ],
  ...[
    '\\"',
    '\\\\',
    '\\u',
    '\\u0061',
    '\\ud83d',
    '\\ude00',
    '\\ud83d\\ude00',
    '\\uffff',
    '\\ud83f\\udffe',
    '\\n',
  ],
  ...[
    'true',
    'null',
    'fals',
    '""',
    '"a"',
    '"a":1',
    '"a":',
    '"__proto__":',
    '"constructor":{',
    '"prototype":',
    '{}',
  ],
  ...[
    '1e400',
    '1e30',
    '-0',
    '01',
    '9007199254740993',
    '9007199254740992',
    '123456789012345678',
    '1.5e-300',
    '5e10',
  ],
  ...['0.30000000000000004', '1234567890123456.0', '1.2345678901234567e25', '1.2345678901234560e-0'],
  ...[
    '\u0000',
    '\u001f',
    '\u007f',
    '\u00e9',
    '\u20ac',
    '😀',
    '\ud83d',
    '\ude00',
    '\ufdd0',
    '\ufffe',
    '\u{1ffff}',
  ],
  ...[
    '\ufeff',
    '\ufffd',
    '\uff01',
    'x'.repeat(120),
    '\\n'.repeat(70),
    `${'y'.repeat(100)}\\"${'z'.repeat(100)}`,
  ],
];

const trouble = fc.constantFrom(...TROUBLE);
const soup = fc.array(trouble, { maxLength: 24 }).map((pieces) => pieces.join(''));
const wild = fc.string({ unit: 'binary', maxLength: 40 });

/** A value written in one of many ways, with changes at some places. */
const mutated = fc
  .tuple(
    fc.jsonValue({ maxDepth: 4 }),
    fc.constantFrom(undefined, 1, '\t'),
    fc.array(fc.tuple(fc.nat(), fc.nat({ max: 3 }), fc.oneof(trouble, fc.constant(''))), { maxLength: 3 }),
  )
  .map(([value, space, edits]) => {
    let text = JSON.stringify(value, undefined, space);
    for (const [where, cut, piece] of edits) {
      const at = where % (text.length + 1);
      text = text.slice(0, at) + piece + text.slice(at + cut);
    }
    return text;
  });

const anyText = fc.oneof({ weight: 5, arbitrary: mutated }, soup, wild);

type Reading = { readonly value: unknown } | { readonly error: JsonError };

function read(text: string | Uint8Array): Reading {
  try {
    return { value: readJson(text) };
  } catch (error) {
    if (error instanceof JsonError) return { error };
    throw error;
  }
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

test('what the scan calls clean, the strict grammar accepts whenever JSON.parse does', () => {
  let clean = 0;
  fc.assert(
    fc.property(anyText, (text) => {
      if (!screen(text, STRICT.maxDepth) || parse(text) === undefined) return;
      clean++;
      expect(findFault(text, STRICT)).toBeUndefined();
    }),
    RUNS,
  );
  expect(clean).toBeGreaterThan(RUNS.numRuns / 10);
});

test('readJson gives the value of JSON.parse, or refuses; and refuses by name where JSON.parse does not', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(anyText, (text) => {
      const native = parse(text);
      const reading = read(text);
      if ('value' in reading) {
        expect(native).toStrictEqual({ value: reading.value });
        return;
      }
      seen.add(reading.error.code);
      if (native !== undefined) expect([...NAMED]).toContain(reading.error.code);
      else expect(findFault(text, STRICT)).toBeDefined();
    }),
    RUNS,
  );
  expect(seen.size).toBeGreaterThan(10);
});

test('the scan and the strict grammar give one verdict, one fault, and one place', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const fault = findFault(text, STRICT);
      const reading = read(text);
      if (fault === undefined) expect(reading).toHaveProperty('value');
      else
        expect(reading).toHaveProperty(
          'error',
          expect.objectContaining({ code: fault.code, offset: fault.offset }),
        );
    }),
    RUNS,
  );
});

/** Faults of a bare number that more digits could still undo. */
const UNDECIDED = new Set(['json/inexact-integer', 'json/number-range']);

function isUndecided(text: string, fault: JsonFault): boolean {
  return UNDECIDED.has(fault.code) && text.slice(0, fault.offset).trim() === '';
}

test('the first fault counts: what follows a fault never changes it', () => {
  fc.assert(
    fc.property(anyText, fc.nat(), (text, where) => {
      const cut = text.slice(0, where % (text.length + 1));
      const fault = findFault(cut, STRICT);
      if (fault === undefined || fault.code === 'json/unexpected-end' || isUndecided(cut, fault)) return;
      expect(findFault(text, STRICT)).toMatchObject({ code: fault.code, offset: fault.offset });
    }),
    RUNS,
  );
});

test('a text that is cut off is incomplete, not wrong', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.nat(), (value, where) => {
      const text = `[${JSON.stringify(value)}]`;
      fc.pre(findFault(text, STRICT) === undefined);
      const cut = text.slice(0, where % text.length);
      expect(findFault(cut, STRICT)).toMatchObject({ code: 'json/unexpected-end', offset: cut.length });
    }),
    RUNS,
  );
});

test('bytes are read as their text is', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      fc.pre(text.isWellFormed());
      const [first, second] = [read(text), read(new TextEncoder().encode(text))];
      if ('value' in first) expect(second).toStrictEqual(first);
      else {
        const { code, offset, line, column, pointer } = first.error;
        expect(second).toMatchObject({ error: { code, offset, line, column, pointer } });
      }
    }),
    RUNS,
  );
});

test('any bytes are read or refused by name', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      const reading = read(bytes);
      if ('error' in reading) expect(reading.error.offset).toBeLessThanOrEqual(bytes.length);
    }),
    RUNS,
  );
});
