import { expect, test } from 'vitest';
import { JsonError } from './json-error.ts';
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

test.each([
  [
    'a getter',
    {
      get a(): unknown {
        throw undefined;
      },
    },
    '/a',
  ],
  [
    'toJSON',
    {
      a: {
        toJSON: () => {
          throw undefined;
        },
      },
    },
    '/a',
  ],
])('%s that throws undefined is an error with a code, not undefined', (_name, value, pointer) => {
  const error = refusal(value);
  expect([error.code, error.pointer]).toEqual(['json/getter-failed', pointer]);
});
