import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ignoreThrown } from './ignore-thrown.ts';

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on('unhandledRejection', note));
afterAll(() => void process.off('unhandledRejection', note));

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

test.each<readonly [string, () => unknown]>([
  ['a promise', () => Promise.reject(new Error('x'))],
  ['a promise of a promise', () => Promise.reject(Promise.reject(Promise.reject(new Error('x'))))],
  ['a promise of another realm', () => runInNewContext('Promise.reject(new Error("x"))')],
  [
    'a promise with a then of its own',
    () => Object.assign(Promise.reject(new Error('x')), { then: undefined }),
  ],
])('%s that is rejected ends no process', async (_name, make) => {
  ignoreThrown(make());
  await turns();
  expect(unhandled.splice(0)).toEqual([]);
});

test('a promise that nobody takes would be seen here', async () => {
  void Promise.reject(new Error('x'));
  await turns();
  expect(unhandled.splice(0)).toHaveLength(1);
});

test('a thenable that is no promise is not started', () => {
  let started = 0;
  ignoreThrown({ then: () => (started += 1) });
  expect(started).toBe(0);
});

test.each<readonly [string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['a text', 'x'],
  ['a function', () => 1],
  ['a revoked proxy', revoked()],
])('%s is let be', (_name, value) => {
  expect(() => ignoreThrown(value)).not.toThrow();
});

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
