import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
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
  ['toJSON of undefined', { a: { toJSON: () => undefined }, b: 1 }, '{"b":1}'],
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
  ['undefined', { toJSON: () => undefined }, ''],
  ['bigint', { toJSON: () => 1n }, ''],
  ['Map', { m: new Map([[1, 2]]) }, '/m'],
  ['Set', new Set([1]), ''],
  ['WeakMap', new WeakMap(), ''],
  ['Promise', { a: Promise.resolve(1) }, '/a'],
  ['RegExp', /x/g, ''],
  ['Error', Object.assign(new Error('gone'), { code: 'ENOENT' }), ''],
  ['TypeError', new TypeError('x'), ''],
  ['invalid Date', [new Date(Number.NaN)], '/0'],
  ['Uint8Array', { bytes: new Uint8Array(2) }, '/bytes'],
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

const thrown = new Error('from inside');
const raise = (): never => {
  throw thrown;
};
const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};

test.each([
  [
    'a getter',
    {
      a: [
        {
          get b(): unknown {
            return raise();
          },
        },
      ],
    },
    '/a/0/b',
  ],
  ['toJSON', { a: { toJSON: raise } }, '/a'],
  [
    'a getter of toJSON',
    [
      {
        get toJSON(): unknown {
          return raise();
        },
      },
    ],
    '/0',
  ],
  ['a proxy that lists nothing', { a: new Proxy({}, { ownKeys: raise }) }, '/a'],
  [
    'a proxy that gives nothing',
    {
      a: new Proxy({ b: 1 }, { get: (target, name) => (name === 'b' ? raise() : Reflect.get(target, name)) }),
    },
    '/a/b',
  ],
  ['a proxy without a prototype', [new Proxy({}, { getPrototypeOf: raise })], '/0'],
])('what %s throws is kept as the cause', (_, value, pointer) => {
  const error = refusal(value);
  expect(error).toMatchObject({ code: 'json/getter-failed', pointer });
  expect(error.cause).toBe(thrown);
  expect(error.message).not.toContain('inside');
});

test('a revoked proxy and a JsonError from inside are failures of the value', () => {
  expect(refusal({ a: revoked() })).toMatchObject({ code: 'json/getter-failed', pointer: '/a' });
  const inner = new JsonError('json/bom', {});
  const error = refusal({
    toJSON: () => {
      throw inner;
    },
  });
  expect(error).toMatchObject({ code: 'json/getter-failed', cause: inner });
});

test('each member is read once, so that no second answer can differ from the checked one', () => {
  let reads = 0;
  const value = {
    get first(): number {
      reads++;
      return reads === 1 ? 1 : Number.NaN;
    },
    get list(): unknown {
      reads++;
      return [reads];
    },
  };
  expect(writeJson(value)).toBe('{"first":1,"list":[2]}');
  expect(reads).toBe(2);
});

test('members are read in document order', () => {
  const order: string[] = [];
  const trace = (name: string, value: unknown) => ({
    enumerable: true,
    get: () => {
      order.push(name);
      return value;
    },
  });
  const inner = Object.defineProperties({}, { b: trace('b', 1), c: trace('c', [2]) });
  writeJson(Object.defineProperties({}, { a: trace('a', inner), d: trace('d', 3) }));
  expect(order).toStrictEqual(['a', 'b', 'c', 'd']);
});

test('a value that contains itself is named, with the place where it begins again', () => {
  const direct: Record<string, unknown> = { a: 1 };
  direct['self'] = direct;
  expect(refusal(direct)).toMatchObject({ code: 'json/cycle', pointer: '/self' });
  expect(refusal(direct, { maxDepth: 'none' })).toMatchObject({ code: 'json/cycle', pointer: '/self' });
  const list: unknown[] = [];
  list.push({ x: { list } });
  expect(refusal({ list })).toMatchObject({ code: 'json/cycle', pointer: '/list/0/x/list' });
  const heavy: Record<string, unknown> = { text: 'x'.repeat(1_000) };
  heavy['self'] = heavy;
  expect(refusal(heavy, { maxBytes: 5_000 })).toMatchObject({ code: 'json/cycle', pointer: '/self' });
});

test('a toJSON that never ends is stopped by the depth', () => {
  const endless = (): object => ({ next: { toJSON: endless } });
  expect(refusal(endless(), { maxDepth: 'none' }).code).toBe('json/too-deep');
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

/** JSON values with any text that may be written, whatever its characters and names. */
const anyJson = fc.jsonValue({ stringUnit: 'binary' });

test('any JSON value is written as JSON.stringify does and read back the same', () => {
  fc.assert(
    fc.property(anyJson, (value) => {
      const text = writeJson(value);
      expect(text).toBe(JSON.stringify(value));
      const read = readJson(text, {
        noncharacters: 'allow',
        forbiddenMembers: 'allow',
        inexactIntegers: 'allow',
      });
      expect(read).toStrictEqual(JSON.parse(text));
    }),
    { numRuns: 1_000 },
  );
});

test('any value at all is written or refused by name, and what is written can be read', () => {
  const anything = fc.anything({
    withBigInt: true,
    withBoxedValues: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withSet: true,
    withSparseArray: true,
    withTypedArray: true,
    withUnicodeString: true,
  });
  let written = 0;
  fc.assert(
    fc.property(anything, (value) => {
      try {
        const text = writeJson(value);
        expect(JSON.parse(text)).toStrictEqual(JSON.parse(JSON.stringify(value) ?? 'null'));
        written++;
      } catch (error) {
        if (!JsonError.is(error)) throw error;
        expect(error.code).toMatch(/^json\/(?:unsupported-value|lone-surrogate|getter-failed|too-deep)$/);
      }
    }),
    { numRuns: 2_000 },
  );
  expect(written).toBeGreaterThan(200);
});
