import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ignorePromises } from './ignore-promises.ts';

let unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
let others: NodeJS.UnhandledRejectionListener[] = [];

beforeEach(() => {
  unhandled = [];
  others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', note);
});
afterEach(() => {
  process.removeListener('unhandledRejection', note);
  for (const other of others) process.on('unhandledRejection', other);
});

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const bad = (text: string): Promise<never> => Promise.reject(new Error(text));

test.each<[string, () => unknown]>([
  ['in a list', () => [bad('a'), 1, bad('b')]],
  ['in members of members', () => ({ a: { b: [{ c: bad('c') }] }, d: bad('d') })],
  [
    'in a circle',
    () => {
      const circle: Record<string, unknown> = { promise: bad('e') };
      return Object.assign(circle, { circle });
    },
  ],
  [
    'in an instance',
    () =>
      new (class {
        readonly later = bad('f');
      })(),
  ],
  ['by itself', () => bad('g')],
])('a rejected promise %s ends nothing', async (_, make) => {
  ignorePromises(make());
  await settled();
  expect(unhandled).toEqual([]);
});

test('no getter and no `then` is run, and what cannot be looked at is left alone', async () => {
  const hostile = {
    get getter(): never {
      throw new Error('was run');
    },
    thenable: { then: () => expect.fail('was run') },
    proxy: new Proxy({}, { ownKeys: () => expect.fail('no keys') }),
  };
  expect(() => ignorePromises(hostile)).not.toThrow();
  for (const value of [null, undefined, 1, 'text', Symbol('s'), () => bad]) ignorePromises(value);
  await settled();
  expect(unhandled).toEqual([]);
});

test('without it the process would hear of the rejection', async () => {
  const promise = bad('h');
  await settled();
  expect(unhandled).toHaveLength(1);
  await promise.catch(() => {});
});

/** Notes every member that is looked at. */
function watched<Value extends object>(value: Value, looks: PropertyKey[]): Value {
  return new Proxy(value, {
    getOwnPropertyDescriptor: (target, name) => {
      looks.push(name);
      return Reflect.getOwnPropertyDescriptor(target, name);
    },
  });
}

test('a value without end is left after a while', () => {
  let made = 0;
  const endless = (): object =>
    new Proxy(
      {},
      {
        ownKeys: () => ['a', 'b'],
        getOwnPropertyDescriptor: () => {
          made += 1;
          return { configurable: true, enumerable: true, value: endless() };
        },
      },
    );
  ignorePromises(endless());
  expect(made).toBeLessThan(500_000);
});

test('lists in lists are left after a while, however long each of them is', () => {
  const looks: PropertyKey[] = [];
  let list: unknown[] = [];
  for (let depth = 0; depth < 100; depth += 1) {
    const outer = new Array<unknown>(10_000).fill(0);
    outer[9_999] = list;
    list = watched(outer, looks);
  }
  ignorePromises(list);
  expect(looks.length).toBeLessThan(200_000);
});

test.each<[string, object]>([
  ['bytes', new Uint8Array(8)],
  ['a list', [1, 2, 3]],
  ['a boxed string', new String('x'.repeat(8))],
])('the names of %s are not written out, however many there are', (_, value) => {
  const names = vi.spyOn(Object, 'keys');
  ignorePromises({ value });
  expect(names.mock.calls.map(([holder]) => holder)).toEqual([{ value }]);
  names.mockRestore();
});
