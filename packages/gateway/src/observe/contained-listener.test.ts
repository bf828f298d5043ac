import { afterAll, beforeAll, expect, test } from 'vitest';
import { containedListener } from './contained-listener.ts';

const rejected = (): Promise<never> => Promise.reject(new Error('planted'));

/** A slip for `await`. */
const slip = (): never => {
  throw rejected();
};
/** The same slip where it is waited for. */
const lateSlip = async (): Promise<never> => {
  await Promise.resolve();
  throw rejected();
};
/** A promise that is rejected with one. */
const nested = (): Promise<never> => Promise.reject(Promise.reject(rejected()));

const SLIPS: readonly (readonly [string, () => never])[] = [
  ['throws a promise', slip],
  ['rejects with a promise', lateSlip as () => never],
  ['rejects with a promise that is rejected with one', nested as () => never],
];

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on('unhandledRejection', note));
afterAll(() => void process.off('unhandledRejection', note));
const expectQuiet = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(unhandled.splice(0)).toEqual([]);
};

test.each(SLIPS)('a listener that %s ends no process, and is told', async (_slip, hook) => {
  const told: unknown[] = [];
  const tell = containedListener((error) => {
    told.push(error);
    return hook();
  });
  expect(() => tell('x')).not.toThrow();
  expect(told).toEqual(['x']);
  await expectQuiet();
});

test('an error that is a promise ends no process, whether somebody listens or not', async () => {
  containedListener(undefined)(nested());
  containedListener(() => undefined)(nested());
  await expectQuiet();
});
