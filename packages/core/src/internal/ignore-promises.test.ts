import { afterEach, beforeEach, expect, test } from 'vitest';
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
  expect(made).toBeLessThan(50_000);
});
