import { describe, expect, test } from 'vitest';
import { call, type Handler, never, onAbort, timed } from '../../test-support/timed-gate.ts';
import { CallError } from '../tool/call-error.ts';
import { Failure } from '../tool/failure.ts';

describe('a cancellation', () => {
  test('before a call started leaves it not started', async () => {
    let ran = 0;
    const controller = new AbortController();
    const { gate } = timed(() => {
      ran += 1;
    });
    const session = await gate.open({ context: 0, signal: controller.signal });
    controller.abort('stop');
    expect(await session.execute(call())).toMatchObject({ kind: 'rejected', reason: 'not_started' });
    expect((await session.executeAll([call('c2'), call('c3')])).map(({ reason }) => reason)).toEqual([
      'not_started',
      'not_started',
    ]);
    expect(ran).toBe(0);
    await session.close();
  });

  test('of a signal that was aborted before the session opened starts nothing', async () => {
    const { gate } = timed(() => 'ran');
    const session = await gate.open({ context: 0, signal: AbortSignal.abort() });
    expect((await session.execute(call())).reason).toBe('not_started');
    await session.close();
  });

  test('leaves calls that waited for a slot not started, and keeps the result of the one that runs', async () => {
    let finish = (): void => {};
    const controller = new AbortController();
    const { clock, gate } = timed(
      () =>
        new Promise((resolve) => {
          finish = () => resolve('sent');
        }),
      {},
      { concurrency: 1 },
    );
    const session = await gate.open({ context: 0, signal: controller.signal });
    const turn = session.executeAll([call('c1'), call('c2')]);
    await clock.advance(0);
    controller.abort();
    finish();
    expect((await turn).map(({ reason }) => reason)).toEqual(['completed', 'not_started']);
    await session.close();
  });

  test('gives a running handler the grace period, and no more', async () => {
    const controller = new AbortController();
    const { clock, gate, events } = timed(never, {}, { graceMs: 300 });
    const session = await gate.open({ context: 0, signal: controller.signal });
    const outcome = session.execute(call());
    await clock.advance(50);
    controller.abort();
    await clock.advance(299);
    expect(events.some(({ kind }) => kind === 'call-end')).toBe(false);
    await clock.advance(1);
    expect(await outcome).toMatchObject({ kind: 'unknown', reason: 'cancelled_after_dispatch' });
    await session.close();
  });

  test('does not extend the deadline', async () => {
    const controller = new AbortController();
    const { clock, gate } = timed(never, { timeoutMs: 100 }, { graceMs: 300 });
    const session = await gate.open({ context: 0, signal: controller.signal });
    const outcome = session.execute(call());
    await clock.advance(50);
    controller.abort();
    await clock.advance(50);
    expect((await outcome).reason).toBe('cancelled_after_dispatch');
    await session.close();
  });

  test.each<[string, Handler, string]>([
    ['returns what it has', onAbort(() => 'half of it'), 'completed'],
    [
      'says that it failed',
      onAbort(() => Promise.reject(new Failure({ kind: 'failed', output: 'undone', cause: 1 }))),
      'tool_failure',
    ],
    [
      'gives evidence',
      onAbort(() => Promise.reject(new CallError({ cause: 1, evidence: 'two rows' }))),
      'call_error',
    ],
    ['throws the reason', onAbort((signal) => Promise.reject(signal.reason)), 'cancelled_after_dispatch'],
    [
      'throws an error caused by the reason',
      onAbort((signal) => Promise.reject(new Error('fetch failed', { cause: signal.reason }))),
      'cancelled_after_dispatch',
    ],
    [
      'throws an abort error',
      onAbort(() => Promise.reject(new DOMException('x', 'AbortError'))),
      'cancelled_after_dispatch',
    ],
    ['throws something else', onAbort(() => Promise.reject(new Error('disk full'))), 'handler_error'],
    ['throws nothing', onAbort(() => Promise.reject(undefined)), 'handler_error'],
    [
      'throws a hostile error',
      onAbort(() =>
        Promise.reject({
          get name() {
            throw new Error('no');
          },
        }),
      ),
      'handler_error',
    ],
  ])('of a handler that then %s comes to its own outcome', async (_name, handler, reason) => {
    const controller = new AbortController();
    const { clock, gate } = timed(handler);
    const session = await gate.open({ context: 0, signal: controller.signal });
    const outcome = session.execute(call());
    await clock.advance(1);
    controller.abort(new Error('the user left'));
    expect((await outcome).reason).toBe(reason);
    await session.close();
  });

  test('says which tool shows what became of a call that only says that it was aborted', async () => {
    const { gate } = timed(
      onAbort(({ reason }) => Promise.reject(reason)),
      { checkWith: 't' },
    );
    const session = await gate.open();
    const abort = new AbortController();
    const outcome = session.execute(call(), { signal: abort.signal });
    abort.abort();
    const ended = await outcome;
    expect(ended.reason).toBe('cancelled_after_dispatch');
    expect(ended.kind === 'unknown' && ended.output.text()).toBe(
      'The call was cancelled while it ran. Its effects are unknown. Check with t before you repeat it.',
    );
    await session.close();
  });

  test('is seen by a handler that looks at its signal only later', async () => {
    const controller = new AbortController();
    const seen: unknown[] = [];
    const { clock, gate } = timed(
      (context) =>
        new Promise<void>((resolve) => {
          clock.setTimer(() => {
            seen.push(context.cancelled, context.signal.aborted, context.signal.reason);
            resolve();
          }, 100);
        }),
    );
    const session = await gate.open({ context: 0, signal: controller.signal });
    const outcome = session.execute(call());
    await clock.advance(1);
    controller.abort('stop');
    await clock.advance(99);
    expect((await outcome).reason).toBe('completed');
    expect(seen).toEqual([true, true, 'stop']);
    await session.close();
  });

  test('twice, by signal and by close, is one cancellation', async () => {
    const controller = new AbortController();
    const { clock, gate } = timed(never, {}, { graceMs: 100 });
    const session = await gate.open({ context: 0, signal: controller.signal });
    const outcome = session.execute(call());
    await clock.advance(1);
    controller.abort('first');
    await clock.advance(60);
    const report = session.close();
    await clock.advance(40);
    expect((await outcome).reason).toBe('cancelled_after_dispatch');
    expect((await report).stragglers.length).toBe(1);
  });

  test('of one session does not touch another', async () => {
    const { clock, gate } = timed(({ context }) =>
      context === 'slow'
        ? new Promise((resolve) => {
            clock.setTimer(() => resolve('done'), 50);
          })
        : never(),
    );
    const controller = new AbortController();
    const [one, two] = [
      await gate.open({ context: 'x', signal: controller.signal }),
      await gate.open({ context: 'slow' }),
    ];
    const outcomes = [one.execute(call()), two.execute(call())];
    controller.abort();
    await clock.advance(5_000);
    expect((await Promise.all(outcomes)).map(({ reason }) => reason)).toEqual([
      'cancelled_after_dispatch',
      'completed',
    ]);
    await Promise.all([one.close(), two.close()]);
  });
});
