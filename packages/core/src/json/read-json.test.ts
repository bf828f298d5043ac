import { expect, test, vi } from 'vitest';
import { JsonError } from './json-error.ts';
import type { JsonErrorCode } from './json-error-code.ts';
import { readJson } from './read-json.ts';
import type { ReadJsonOptions } from './read-rules.ts';

function refusal(text: string | Uint8Array, options?: ReadJsonOptions): JsonError {
  try {
    readJson(text, options);
  } catch (error) {
    if (error instanceof JsonError) return error;
    throw error;
  }
  throw new Error(`accepted: ${String(text)}`);
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const nested = (depth: number, inside = ''): string => `${'['.repeat(depth)}${inside}${']'.repeat(depth)}`;
const members = (count: number): string =>
  Array.from({ length: count }, (_, index) => `"n${index}":${index}`).join(',');

test.each([
  ['null', null],
  [' \t\r\n{ "a" \t:\r\n1 } \n', { a: 1 }],
  ['{"a":1,"b":[true,false,null,"x"],"":{}}', { a: 1, b: [true, false, null, 'x'], '': {} }],
  ['"\\u0041\\n\\"\\\\\\/\\b\\f\\r\\t"', 'A\n"\\/\b\f\r\t'],
  ['"\\ud83d\\ude00 \\uD83D\\uDE00 😀"', '😀 😀 😀'],
  ['"\\\\ud800"', '\\ud800'],
  ['"\u007f\u2028\ufeff\ufffd"', '\u007f\u2028\ufeff\ufffd'],
  ['{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}', { a: { a: { a: 1 } }, b: [{ a: 1 }, { a: 2 }] }],
  ['{"toString":1,"hasOwnProperty":2,"prototype":3}', { toString: 1, hasOwnProperty: 2, prototype: 3 }],
  ['{"é":1,"e\u0301":2}', { é: 1, 'e\u0301': 2 }],
  ['[-0,0e0,1E+2,1.5e-300,5e-324]', [-0, 0, 100, 1.5e-300, 5e-324]],
  ['1e-400', 0],
])('%j is read as JSON', (text, value) => {
  expect(readJson(text)).toStrictEqual(value);
  expect(readJson(utf8(text))).toStrictEqual(value);
});

const refused: readonly (readonly [text: string, code: JsonErrorCode, offset: number, pointer: string])[] = [
  ['', 'json/unexpected-end', 0, ''],
  [' \n', 'json/unexpected-end', 2, ''],
  ['{"a":{"b":1}', 'json/unexpected-end', 12, '/a'],
  ['[1,', 'json/unexpected-end', 3, '/1'],
  ['["abc', 'json/unexpected-end', 5, '/0'],
  ['["abc\\', 'json/unexpected-end', 6, '/0'],
  ['["\\u12', 'json/unexpected-end', 6, '/0'],
  ['["\\ud83d', 'json/unexpected-end', 8, '/0'],
  ['["\\ud83d\\', 'json/unexpected-end', 9, '/0'],
  ['["\\ud83d\\u', 'json/unexpected-end', 10, '/0'],
  ['["\\ud83d\\ude', 'json/unexpected-end', 12, '/0'],
  ['["\ud83d', 'json/unexpected-end', 3, '/0'],
  ['{"a"', 'json/unexpected-end', 4, '/a'],
  ['{"a', 'json/unexpected-end', 3, ''],
  ['{"a":', 'json/unexpected-end', 5, '/a'],
  ['[tru', 'json/unexpected-end', 4, '/0'],
  ['[-', 'json/unexpected-end', 2, '/0'],
  ['[1.', 'json/unexpected-end', 3, '/0'],
  ['[1e+', 'json/unexpected-end', 4, '/0'],
  ['{"id":9007199254740993', 'json/unexpected-end', 22, '/id'],
  ['[1e999', 'json/unexpected-end', 6, '/0'],
  ['9007199254740993', 'json/inexact-integer', 0, ''],
  ['[trux', 'json/unexpected-token', 1, '/0'],
  ['[1 2]', 'json/unexpected-token', 3, '/0'],
  ['[1,]', 'json/unexpected-token', 3, '/1'],
  ['{"a":1,}', 'json/unexpected-token', 7, ''],
  ['{a:1}', 'json/unexpected-token', 1, ''],
  ['{"a" 1}', 'json/unexpected-token', 5, '/a'],
  ['{"a":1]', 'json/unexpected-token', 6, '/a'],
  ["['a']", 'json/unexpected-token', 1, '/0'],
  ['\u00a0{}', 'json/unexpected-token', 0, ''],
  ['\ud800', 'json/unexpected-token', 0, ''],
  ['```json\n{}\n```', 'json/unexpected-token', 0, ''],
  ['[NaN]', 'json/unexpected-token', 1, '/0'],
  ['[+1]', 'json/unexpected-token', 1, '/0'],
  ['[.5]', 'json/unexpected-token', 1, '/0'],
  ['[01]', 'json/bad-number', 2, '/0'],
  ['[1.]', 'json/bad-number', 3, '/0'],
  ['[1.e1]', 'json/bad-number', 3, '/0'],
  ['[-Infinity]', 'json/bad-number', 2, '/0'],
  ['[1e400]', 'json/number-range', 1, '/0'],
  ['{"a":{"b":[-1e400]}}', 'json/number-range', 11, '/a/b/0'],
  [`[${'9'.repeat(310)}.5]`, 'json/number-range', 1, '/0'],
  ['{"id":9007199254740993}', 'json/inexact-integer', 6, '/id'],
  ['{"id":2401123456789000001}', 'json/inexact-integer', 6, '/id'],
  ['[-9007199254740993]', 'json/inexact-integer', 1, '/0'],
  ['[9007199254740993.0]', 'json/inexact-integer', 1, '/0'],
  ['[9007199254740993e0]', 'json/inexact-integer', 1, '/0'],
  ['[9.007199254740993e15]', 'json/inexact-integer', 1, '/0'],
  ['[90071992547409930e-1]', 'json/inexact-integer', 1, '/0'],
  ['["\\x41"]', 'json/bad-escape', 2, '/0'],
  ['["\\u00a"]', 'json/bad-escape', 2, '/0'],
  ['["\\ud83d\\u00zz"]', 'json/bad-escape', 8, '/0'],
  ['["a\nb"]', 'json/control-character', 3, '/0'],
  ['["a\u0000b"]', 'json/control-character', 3, '/0'],
  ['{"a\u001f":1}', 'json/control-character', 3, ''],
  ['["\\ud800"]', 'json/lone-surrogate', 2, '/0'],
  ['["\\udc00"]', 'json/lone-surrogate', 2, '/0'],
  ['["\\ud83dx"]', 'json/lone-surrogate', 2, '/0'],
  ['["\\ud83d\\n"]', 'json/lone-surrogate', 2, '/0'],
  ['["\\ud83d\\ud83d\\ude00"]', 'json/lone-surrogate', 2, '/0'],
  ['["\\ud83d\ude00"]', 'json/lone-surrogate', 2, '/0'],
  ['["\ud800"]', 'json/lone-surrogate', 2, '/0'],
  ['{"\udc00":1}', 'json/lone-surrogate', 2, ''],
  ['["\\uffff"]', 'json/noncharacter', 2, '/0'],
  ['["\ufdd0"]', 'json/noncharacter', 2, '/0'],
  ['["\\ud83f\\udffe"]', 'json/noncharacter', 2, '/0'],
  ['["\u{10ffff}"]', 'json/noncharacter', 2, '/0'],
  ['{"\ufffe":1}', 'json/noncharacter', 2, ''],
  ['{"amount":1,"amount":1000}', 'json/duplicate-member', 12, '/amount'],
  ['{"a":1,"\\u0061":2}', 'json/duplicate-member', 7, '/a'],
  ['{"a/b":1,"a\\/b":2}', 'json/duplicate-member', 9, '/a~1b'],
  ['[1,[{"a":1},{"b":1,"b":2}]]', 'json/duplicate-member', 19, '/1/1/b'],
  ['{"a":{"x":1},"b":{"x":2},"a":1}', 'json/duplicate-member', 25, '/a'],
  ['{"__proto__":{"isAdmin":true}}', 'json/forbidden-member', 1, '/__proto__'],
  ['{"a":[{"\\u005f_proto__":null}]}', 'json/forbidden-member', 7, '/a/0/__proto__'],
  ['{"constructor":{"prototype":{}}}', 'json/forbidden-member', 16, '/constructor/prototype'],
  ['{"a":{"constructor":{"x":1,"prototype":0}}}', 'json/forbidden-member', 27, '/a/constructor/prototype'],
  ['\ufeff{}', 'json/bom', 0, ''],
  ['{"a":1} x', 'json/trailing-data', 8, ''],
  ['{"a":1}{"b":2}', 'json/trailing-data', 7, ''],
  ['{}\u0000', 'json/trailing-data', 2, ''],
  [nested(65), 'json/too-deep', 64, '/0'.repeat(64)],
];

test.each(refused)('%j is refused as %s at %i in %j', (text, code, offset, pointer) => {
  expect(refusal(text)).toMatchObject({ code, offset, pointer });
});

test.each([2, 16, 17, 64, 65, 200, 2_000])('a duplicate among %i members is found', (count) => {
  const text = `{${members(count)},"n1":0}`;
  const offset = members(count).length + 2;
  expect(refusal(text)).toMatchObject({ code: 'json/duplicate-member', offset, pointer: '/n1' });
  expect(Object.keys(readJson(text.replace('"n1":0', '"m":0')) ?? {})).toHaveLength(count + 1);
});

test('a constructor without a prototype is an ordinary member', () => {
  const text = '{"prototype":1,"constructor":[{"prototype":2}],"a":{"constructor":"x"}}';
  expect(JSON.stringify(readJson(text))).toBe(text);
});

test.each([
  ['the first of two faults counts', '{"a":1,"a":2,"b":tru}', 'json/duplicate-member'],
  ['a fault before a duplicate counts', '{"a":"\\x","a":2}', 'json/bad-escape'],
  ['a forbidden name counts before its duplicate', '{"__proto__":1,"__proto__":2}', 'json/forbidden-member'],
  ['depth counts before what is deeper', `${'['.repeat(65)}x`, 'json/too-deep'],
  ['a duplicate counts before the end', '{"a":1,"a"', 'json/duplicate-member'],
] as const)('%s', (_, text, code) => {
  expect(refusal(text).code).toBe(code);
});

test('line and column count LF, CR and CR LF as one line break each', () => {
  expect(refusal('{\n"a":1,\r"b":2,\r\n "c":x}')).toMatchObject({ offset: 22, line: 4, column: 6 });
  expect(refusal('"😀\u0001"')).toMatchObject({ offset: 3, line: 1, column: 4 });
});

const options: readonly (readonly [string, ReadJsonOptions, unknown])[] = [
  ['["\\uffff\ufdd0"]', { noncharacters: 'allow' }, ['\uffff\ufdd0']],
  ['[9007199254740993]', { inexactIntegers: 'allow' }, [9_007_199_254_740_992]],
  [nested(3), { maxDepth: 3 }, [[[]]]],
  ['1', { maxDepth: 0, maxBytes: 1 }, 1],
];

test.each(options)('%s is accepted with %j', (text, allowed, value) => {
  refusal(text, { maxDepth: 0, maxBytes: 0 });
  expect(readJson(text, allowed)).toStrictEqual(value);
});

test('an allowed __proto__ is an own member and changes no prototype', () => {
  const text = '{"a":{"__proto__":{"polluted":true}},"constructor":{"prototype":{"polluted":true}}}';
  const value = readJson(text, { forbiddenMembers: 'allow' }) as { a: object; constructor: object };
  expect(Object.getOwnPropertyNames(value.a)).toStrictEqual(['__proto__']);
  expect(Object.getPrototypeOf(value.a)).toBe(Object.prototype);
  expect('polluted' in {}).toBe(false);
  expect(JSON.stringify(value)).toBe(text);
});

test('a duplicate is refused whatever is allowed', () => {
  const text = '{"__proto__":1,"__proto__":2}';
  expect(refusal(text, { forbiddenMembers: 'allow', noncharacters: 'allow' }).code).toBe(
    'json/duplicate-member',
  );
});

test.each([
  ['"\u00e9"', 4],
  ['"\u20ac"', 5],
  ['"😀"', 6],
  ['"\ud800"', 5],
  ['[1,2]', 5],
] as const)('%j has %i bytes, and is too large for one less', (text, size) => {
  expect(refusal(text, { maxBytes: size - 1 })).toMatchObject({
    code: 'json/too-large',
    offset: 0,
    line: 1,
    column: 1,
  });
  try {
    readJson(text, { maxBytes: size });
  } catch (error) {
    expect(error).toMatchObject({ code: 'json/lone-surrogate' });
  }
});

test('bytes are counted as given', () => {
  expect(refusal(utf8('"é"'), { maxBytes: 3 }).code).toBe('json/too-large');
  expect(readJson(utf8('"é"'), { maxBytes: 4 })).toBe('é');
});

test('a text is at most 1 MiB long unless more is allowed', () => {
  const text = `"${'a'.repeat(1_048_575)}"`;
  expect(refusal(text).code).toBe('json/too-large');
  expect(readJson(text.slice(1).replace('a', '"'))).toHaveLength(1_048_574);
  expect(readJson(text, { maxBytes: 'none' })).toHaveLength(1_048_575);
});

test('the value belongs to the caller: not frozen, never given twice', () => {
  const first = readJson('{"a":[1]}') as { a: number[] };
  first.a.push(2);
  expect(readJson('{"a":[1]}')).toStrictEqual({ a: [1] });
});

test.each([100_000, 1_000_000])('%i levels are refused by default and read without a limit', (depth) => {
  expect(refusal(nested(depth), { maxBytes: 'none' }).code).toBe('json/too-deep');
  let value = readJson(nested(depth), { maxBytes: 'none', maxDepth: 'none' });
  let levels = 0;
  for (; Array.isArray(value); value = value[0] ?? null) levels++;
  expect(levels).toBe(depth);
});

test('a text that only the engine cannot parse is too deep for it', () => {
  const failure = new RangeError('Maximum call stack size exceeded');
  const parse = vi.spyOn(JSON, 'parse').mockImplementation(() => {
    throw failure;
  });
  const error = refusal('[[]]');
  parse.mockRestore();
  expect(error).toMatchObject({ code: 'json/too-deep', offset: 0, cause: failure });
});

test('a fault below many levels is found without a limit', () => {
  const text = `${'{"a":'.repeat(20_000)}x`;
  const error = refusal(text, { maxBytes: 'none', maxDepth: 'none' });
  expect(error).toMatchObject({
    code: 'json/unexpected-token',
    offset: 100_000,
    pointer: '/a'.repeat(20_000),
  });
  expect(error.message.length).toBeLessThan(200);
});

test.each([
  [{ maxBytes: Number.NaN }],
  [{ maxBytes: -1 }],
  [{ maxDepth: 1.5 }],
  [{ maxDepth: Number.POSITIVE_INFINITY }],
  [{ maxDepth: '3' }],
  [{ noncharacters: 'yes' }],
  [{ inexactIntegers: true }],
  [{ forbiddenMembers: null }],
])('%j is no valid option', (wrong) => {
  const misuse = wrong as unknown as ReadJsonOptions;
  expect(refusal('1', misuse)).toMatchObject({ code: 'json/options-invalid', offset: undefined });
});

test.each([[undefined], [null], [1], [{}], [[91, 93]], [new String('1')]])('%j is no text', (wrong) => {
  expect(refusal(wrong as unknown as string).code).toBe('json/options-invalid');
});

test('a message quotes little of the input and no character that changes how the rest is shown', () => {
  const name = `${'n'.repeat(500)}\u202e\u0007\n"`;
  const { message, pointer } = refusal(JSON.stringify({ [name]: 1 }).replace(':1', ':\u0007'));
  expect(pointer).toBe(`/${name}`);
  expect(message).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
  expect(message.match(/n{2,}/g)?.join('').length).toBeLessThan(30);
  expect(message).toContain('found "\\u0007"');
});
