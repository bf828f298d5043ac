import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../clock/fake-clock.ts';
import { createDeafHandler } from './deaf-handler.ts';
import { createDeferredHandler } from './deferred-handler.ts';
import { createLeakingHandler, HOSTILE_RESULTS } from './hostile-results.ts';
import { createThrowingHandler, HOSTILE_THROWS } from './hostile-throws.ts';
import { createSlowHandler } from './slow-handler.ts';

const settled = async (promise: Promise<unknown>): Promise<boolean> =>
  Promise.race([
    promise.then(
      () => true,
      () => true,
    ),
    new Promise<boolean>((resolve) => setTimeout(resolve, 0, false)),
  ]);

describe('a deferred handler', () => {
  test('settles each execution only as told, and once', async () => {
    const handler = createDeferredHandler();
    const [first, second] = [handler.execute('a'), handler.execute('b')];
    expect(await settled(Promise.race([first, second]))).toBe(false);
    handler.calls[1]?.reject('no');
    handler.calls[0]?.resolve(1);
    handler.calls[0]?.resolve(2);
    handler.calls[0]?.reject('late');
    await expect(first).resolves.toBe(1);
    await expect(second).rejects.toBe('no');
    expect(handler.calls.map((call) => call.input)).toEqual(['a', 'b']);
  });

  test('started waits for the execution that was asked for, past and future', async () => {
    const handler = createDeferredHandler();
    const second = handler.started(2);
    void handler.execute();
    await handler.started();
    expect(await settled(second)).toBe(false);
    void handler.execute();
    await second;
    expect(handler.calls).toHaveLength(2);
  });

  test('it reads its signal only when the test asks for it', () => {
    const handler = createDeferredHandler();
    let reads = 0;
    const { signal } = new AbortController();
    void handler.execute(undefined, {
      get signal() {
        reads += 1;
        return signal;
      },
    });
    expect(reads).toBe(0);
    expect(handler.calls[0]?.signal).toBe(signal);
  });
});

test('a deaf handler goes on after its signal was aborted, until it is released', async () => {
  const handler = createDeafHandler('result');
  const controller = new AbortController();
  const running = handler.execute({}, { signal: controller.signal });
  controller.abort();
  expect(await settled(running)).toBe(false);
  handler.release();
  await expect(running).resolves.toBe('result');
  await expect(handler.execute()).resolves.toBe('result');
  expect(handler.started).toBe(2);
});

describe('a slow handler', () => {
  test('returns when its time is over, not before', async () => {
    const clock = createFakeClock();
    const running = createSlowHandler({ clock, delayMs: 10, value: 7 })();
    await clock.advance(9);
    expect(await settled(running)).toBe(false);
    await clock.advance(1);
    await expect(running).resolves.toBe(7);
  });

  test.each(['before', 'during'])(
    'aborted %s, it rejects with the reason and leaves no timer',
    async (when) => {
      const clock = createFakeClock();
      const controller = new AbortController();
      const reason = new Error('stop');
      if (when === 'before') controller.abort(reason);
      const running = createSlowHandler({ clock, delayMs: 10 })({}, { signal: controller.signal });
      if (when === 'during') controller.abort(reason);
      await expect(running).rejects.toBe(reason);
      expect(clock.pending).toBe(0);
    },
  );
});

const ids = (list: readonly { readonly id: string }[]): readonly string[] => list.map(({ id }) => id);

describe('hostile throws', () => {
  test('ids are unique', () => {
    expect(new Set(ids(HOSTILE_THROWS)).size).toBe(HOSTILE_THROWS.length);
  });

  test.each(ids(HOSTILE_THROWS))('%s: both ways of throwing give a new value each time', async (id) => {
    const thrown: unknown[] = [];
    const rejecting = createThrowingHandler(id);
    for (let round = 0; round < 2; round += 1)
      await rejecting().catch((value: unknown) => thrown.push([value]));
    try {
      await createThrowingHandler(id, 'throw')();
    } catch (value) {
      thrown.push([value]);
    }
    expect(thrown).toHaveLength(3);
    const [first, second] = thrown as [[unknown], [unknown]];
    const isObject = (typeof first[0] === 'object' && first[0] !== null) || typeof first[0] === 'function';
    expect(Object.is(first[0], second[0])).toBe(!isObject && typeof first[0] !== 'symbol');
  });

  test('a sync thrower throws before there is a promise', () => {
    expect(() => createThrowingHandler('error-message', 'throw')()).toThrow(/ECONNREFUSED/);
  });

  test('an unknown id is refused', () => {
    expect(() => createThrowingHandler('nothing')).toThrow(RangeError);
    expect(() => createLeakingHandler('nothing')).toThrow(RangeError);
  });
});

describe('hostile results', () => {
  test('ids are unique', () => {
    expect(new Set(ids(HOSTILE_RESULTS)).size).toBe(HOSTILE_RESULTS.length);
  });

  test('a leaking handler returns or resolves the same kind of value', async () => {
    expect(createLeakingHandler('negative-zero', 'return')()).toBe(-0);
    await expect(createLeakingHandler('negative-zero')()).resolves.toBe(-0);
  });
});
