import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.ts';
import { digest, digestText } from './digest.ts';
import { JsonError } from './json-error.ts';
import type { JsonValue } from './json-value.ts';
import { readJson } from './read-json.ts';

test('white space goes, members are sorted, escapes are the shortest (RFC 8785 section 3.2.2)', () => {
  const text = String.raw`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  }`;
  expect(canonicalJson(readJson(text))).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
      String.raw`"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  );
});

test('names are compared by their UTF-16 units (RFC 8785 section 3.2.3)', () => {
  const value = { '\u20ac': 5, '\r': 1, '\ufb33': 7, '1': 2, '😀': 6, '\u0080': 3, '\u00f6': 4 };
  expect(canonicalJson(value)).toBe('{"\\r":1,"1":2,"\u0080":3,"ö":4,"€":5,"😀":6,"\ufb33":7}');
});

test('names that look like indices are sorted as text too', () => {
  expect(canonicalJson({ '10': 1, '9': 2, '1': 3, a: 4, '-': 5, '01': 6 })).toBe(
    '{"-":5,"01":6,"1":3,"10":1,"9":2,"a":4}',
  );
  expect(canonicalJson([{ b: 1, a: [{ '4294967294': 1, '2': 2, '4294967295': 3 }] }])).toBe(
    '[{"a":[{"2":2,"4294967294":1,"4294967295":3}],"b":1}]',
  );
});

/** RFC 8785 appendix B: the bits of a double and how it is written. */
const NUMBERS = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
] as const;

test.each(NUMBERS)('the double %s is written %s', (bits, text) => {
  expect(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE())).toBe(text);
});

test('what is no JSON value after all is refused', () => {
  const cycle: JsonValue[] = [];
  cycle.push(cycle);
  const wrong = [Number.NaN, { a: Number.POSITIVE_INFINITY }, '\ud800', cycle, undefined, [undefined]];
  for (const value of wrong as JsonValue[]) {
    expect(() => canonicalJson(value)).toThrow(JsonError);
    expect(() => digest(value)).toThrow(JsonError);
  }
});

test('up to 1,000 levels are written, more are refused by name', () => {
  const nested = (depth: number) => readJson('['.repeat(depth) + ']'.repeat(depth), { maxDepth: 'none' });
  expect(canonicalJson(nested(1_000))).toBe('['.repeat(1_000) + ']'.repeat(1_000));
  expect(() => canonicalJson(nested(1_001))).toThrow(expect.objectContaining({ code: 'json/too-deep' }));
  expect(() => canonicalJson(nested(100_000))).toThrow(expect.objectContaining({ code: 'json/too-deep' }));
});

const anyJson = fc
  .jsonValue({ stringUnit: 'binary' })
  .map((value) => readJson(JSON.stringify(value), { noncharacters: 'allow', forbiddenMembers: 'allow' }));
const named = fc.dictionary(fc.oneof(fc.string(), fc.nat().map(String)), anyJson);

/** The same value with its members put in reverse. */
function reversed(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}

test('the canonical text is its own canonical text, whatever order the members came in', () => {
  fc.assert(
    fc.property(fc.oneof(anyJson, named), (value) => {
      const text = canonicalJson(value);
      expect(canonicalJson(JSON.parse(text) as JsonValue)).toBe(text);
      expect(canonicalJson(reversed(value))).toBe(text);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
    { numRuns: 1_000 },
  );
});

test('a digest is the SHA-256 of the canonical text', () => {
  expect(digest({})).toBe('sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a');
  fc.assert(
    fc.property(anyJson, (value) => {
      const text = canonicalJson(value);
      const expected = `sha256:${createHash('sha256').update(text, 'utf8').digest('hex')}`;
      expect(digest(value)).toBe(expected);
      expect(digestText(text)).toBe(expected);
    }),
  );
});

test('values that differ have different digests, values that are equal the same', () => {
  expect(digest({ a: 1, b: [0] })).toBe(digest(JSON.parse('{ "b":[-0], "a":1.0 }') as JsonValue));
  expect(digest(['1'])).not.toBe(digest([1]));
  expect(digest([[], {}])).not.toBe(digest([{}, []]));
});
