import { runInNewContext } from 'node:vm';
import { expect, test, vi } from 'vitest';
import { JsonError } from './json-error.ts';
import { readJson } from './read-json.ts';
import { toJsonValue } from './to-json-value.ts';
import { writeJson } from './write-json.ts';
import type { WriteJsonOptions } from './write-rules.ts';

function refusal(value: unknown, options?: WriteJsonOptions): JsonError {
  for (const act of [toJsonValue, writeJson]) {
    try {
      act(value, options);
    } catch (error) {
      if (!JsonError.is(error)) throw error;
      if (act === writeJson) return error;
    }
  }
  throw new Error('accepted');
}

class Point {
  readonly x: number;
  readonly #hidden: number;

  constructor(x: number) {
    this.x = x;
    this.#hidden = x;
  }

  get double(): number {
    return this.#hidden * 2;
  }
}

class Empty {}

const sparse = (): unknown[] => Object.assign([], { length: 3, 0: 1, 2: 3 }) as unknown[];

test.each([
  ['scalars', [null, true, false, 'x', '', 0, -1.5, 1e21], '[null,true,false,"x","",0,-1.5,1e+21]'],
  ['negative zero', -0, '0'],
  ['escapes', '"\\\n\u0001\u2028😀', '"\\"\\\\\\n\\u0001\u2028😀"'],
  ['undefined and symbol members', { a: undefined, b: 1, [Symbol('c')]: 2 }, '{"b":1}'],
  ['no prototype', Object.assign(Object.create(null) as object, { a: 1 }), '{"a":1}'],
  ['own members only', Object.assign(Object.create({ inherited: 1 }) as object, { own: 2 }), '{"own":2}'],
  ['an instance', new Point(3), '{"x":3}'],
  ['boxes', [new String('a'), new Number(1), new Boolean(false)], '["a",1,false]'],
  ['a date', new Date(0), '"1970-01-01T00:00:00.000Z"'],
  ['a URL', { at: new URL('https://example.com/') }, '{"at":"https://example.com/"}'],
  ['toJSON', { a: { toJSON: (name: string) => `at ${name}` } }, '{"a":"at a"}'],
  ['toJSON of undefined', { a: { toJSON: (): unknown => undefined }, b: 1 }, '{"b":1}'],
  ['toJSON asked once', { toJSON: () => ({ toJSON: undefined, a: 1 }) }, '{"a":1}'],
  ['a member named toJSON', { toJSON: 'text' }, '{"toJSON":"text"}'],
  ['an own __proto__', JSON.parse('{"__proto__":{"a":1}}') as unknown, '{"__proto__":{"a":1}}'],
  ['the elements of an array alone', Object.assign([1], { extra: 2 }), '[1]'],
  ['an empty object of another realm', runInNewContext('({})'), '{}'],
  ['an array of another realm', runInNewContext('[1,{a:[]}]'), '[1,{"a":[]}]'],
  ['a shared part', ((part) => [part, part])({ a: 1 }), '[{"a":1},{"a":1}]'],
  ['a proxy that behaves', new Proxy({ a: [1] }, {}), '{"a":[1]}'],
] as const)('%s are written', (_, value, text) => {
  expect(writeJson(value)).toBe(text);
});

test.each([
  ['NaN', { a: [Number.NaN] }, '/a/0'],
  ['Infinity', [1, Number.POSITIVE_INFINITY], '/1'],
  ['bigint', { id: 1n }, '/id'],
  ['symbol', [Symbol('x')], '/0'],
  ['function', { f: () => 1 }, '/f'],
  ['undefined', undefined, ''],
  ['undefined', [1, undefined], '/1'],
  ['hole', sparse(), '/1'],
  ['hole', new Array(4_000_000_000), '/0'],
  ['undefined', { toJSON: (): unknown => undefined }, ''],
  ['bigint', { toJSON: (): unknown => 1n }, ''],
  ['Map', { m: new Map([[1, 2]]) }, '/m'],
  ['Set', new Set([1]), ''],
  ['WeakMap', new WeakMap(), ''],
  ['Promise', { a: Promise.resolve(1) }, '/a'],
  ['RegExp', /x/g, ''],
  ['Error', Object.assign(new Error('gone'), { code: 'ENOENT' }), ''],
  ['TypeError', new TypeError('x'), ''],
  ['invalid Date', [new Date(Number.NaN)], '/0'],
  ['Uint8Array', { bytes: new Uint8Array(2) }, '/bytes'],
  ['Buffer', { name: 'a', bytes: Buffer.from('ab') }, '/bytes'],
  ['Buffer', Buffer.from('ab'), ''],
  ['Buffer', { b: Object.assign(Buffer.from('x'), { toJSON: undefined }) }, '/b'],
  ['DataView', new DataView(new ArrayBuffer(1)), ''],
  ['ArrayBuffer', new ArrayBuffer(1), ''],
  ['URLSearchParams without own members', new URLSearchParams('a=1'), ''],
  ['Headers without own members', new Headers(), ''],
  ['Empty without own members', new Empty(), ''],
  ['BigInt', Object(1n), ''],
  ['Symbol', Object(Symbol('x')), ''],
  ['Map', runInNewContext('Object.assign(new Map(), { a: 1 })'), ''],
  ['Error', runInNewContext('Object.assign(new Error("x"), { a: 1 })'), ''],
] as const)('%s has no JSON form', (what, value, pointer) => {
  const error = refusal(value);
  expect(error).toMatchObject({ code: 'json/unsupported-value', pointer, offset: undefined });
  expect(error.message).toContain(what);
});

test.each([
  ['a value', ['\ud83d'], '/0'],
  ['a name', { '\udc00': 1 }, '/\udc00'],
  ['what toJSON gives', { toJSON: () => 'x\ud800y' }, ''],
])('a lone surrogate in %s is refused', (_, value, pointer) => {
  expect(refusal(value)).toMatchObject({ code: 'json/lone-surrogate', pointer });
});

function nest(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

test('64 levels are written by default, up to 1,000 without a limit', () => {
  expect(readJson(writeJson(nest(64)))).toStrictEqual(nest(64));
  expect(refusal(nest(65)).code).toBe('json/too-deep');
  expect(writeJson(nest(1_000), { maxDepth: 'none' })).toBe(JSON.stringify(nest(1_000)));
  expect(refusal(nest(1_001), { maxDepth: 'none' }).code).toBe('json/too-deep');
  expect(refusal(nest(200_000), { maxDepth: 'none' }).code).toBe('json/too-deep');
  expect(writeJson(1, { maxDepth: 0 })).toBe('1');
});

test.each([
  ['"é"', 'é', 4],
  ['a text of escapes', '\u0000\n', 10],
  ['an object', { a: [1, 22, true] }, 17],
  ['nothing', [], 2],
])('%s fits its bytes exactly', (_, value, bytes) => {
  expect(new TextEncoder().encode(writeJson(value, { maxBytes: bytes })).length).toBe(bytes);
  expect(refusal(value, { maxBytes: bytes - 1 }).code).toBe('json/too-large');
});

test('a small value that stands for an enormous text is stopped early', () => {
  let bomb: unknown = 'x';
  for (let level = 0; level < 40; level++) bomb = [bomb, bomb];
  expect(refusal(bomb, { maxBytes: 100_000 }).code).toBe('json/too-large');
});

test('a text that no string can hold is too large, whatever is allowed', () => {
  const failure = new RangeError('Invalid string length');
  const stringify = vi.spyOn(JSON, 'stringify').mockImplementationOnce(() => {
    throw failure;
  });
  const error = refusal('x', { maxBytes: 'none' });
  stringify.mockRestore();
  expect(error).toMatchObject({ code: 'json/too-large', cause: failure });
});

test.each([[{ maxBytes: Number.NaN }], [{ maxDepth: -1 }], [{ maxDepth: '1' }]])(
  '%j is no valid option',
  (wrong) => {
    expect(refusal(1, wrong as unknown as WriteJsonOptions).code).toBe('json/options-invalid');
  },
);

test('the copy belongs to the caller and shares nothing', () => {
  const part = Object.freeze({ a: Object.freeze([1]) });
  const copy = toJsonValue([part, part]) as { a: number[] }[];
  copy[0]?.a.push(2);
  expect(copy).toStrictEqual([{ a: [1, 2] }, { a: [1] }]);
  expect(part).toStrictEqual({ a: [1] });
});
