import { describe, expect, test } from 'vitest';
import { call, type Handler, never, onAbort, timed } from '../../test-support/timed-gate.ts';
import { PermanentError } from '../tool/permanent-error.ts';

describe('a permanent error', () => {
  test('cancels and joins the siblings, keeps what finished, and throws the first cause with all outcomes', async () => {
    const cause = new Error('the licence has expired');
    const handlers: Readonly<Record<string, Handler>> = {
      c1: () => 'paid',
      c2: () => Promise.reject(new PermanentError(cause)),
      c3: onAbort((signal) => Promise.reject(signal.reason)),
      c4: onAbort(() => 'rolled back'),
      c5: never,
      c6: onAbort(() => Promise.reject(new PermanentError(new Error('second')))),
      c7: () => 'never starts',
    };
    const { clock, gate } = timed(
      (context) => handlers[context.callId ?? '']?.(context),
      {},
      { concurrency: 6 },
    );
    const session = await gate.open();
    const turn = session.executeAll(Object.keys(handlers).map(call));
    const ended = expect(turn).rejects.toMatchObject({
      name: 'GateError',
      code: 'gate/permanent',
      callId: 'c2',
      cause,
      outcomes: [
        { callId: 'c1', reason: 'completed' },
        { callId: 'c2', reason: 'handler_error' },
        { callId: 'c3', reason: 'cancelled_after_dispatch' },
        { callId: 'c4', reason: 'completed' },
        { callId: 'c5', reason: 'cancelled_after_dispatch' },
        { callId: 'c6', reason: 'handler_error' },
        { callId: 'c7', reason: 'completed' },
      ],
    });
    await clock.advance(0);
    await clock.advance(5_000);
    await ended;
    expect((await session.close()).stragglers).toEqual([{ callId: 'c5', tool: 't' }]);
  });

  test('found in the cause of another error ends the run as well', async () => {
    const { gate } = timed(() => {
      throw new Error('outer', { cause: new PermanentError('inner') });
    });
    const session = await gate.open();
    await expect(session.execute(call())).rejects.toMatchObject({ code: 'gate/permanent', cause: 'inner' });
    await expect(session.executeAll([call()])).rejects.toMatchObject({ code: 'gate/session-closed' });
    await session.close();
  });

  test('that comes after the call was given up is only noted', async () => {
    let finish = (): void => {};
    const { clock, gate, events } = timed(
      () =>
        new Promise((_resolve, reject) => {
          finish = () => reject(new PermanentError(1));
        }),
      { timeoutMs: 10 },
    );
    const session = await gate.open();
    const outcome = session.execute(call());
    await clock.advance(10);
    expect((await outcome).reason).toBe('deadline_exceeded');
    finish();
    await clock.advance(1);
    expect(events.at(-1)).toMatchObject({ kind: 'straggler', settled: 'rejected' });
    expect((await session.execute({ ...call('c2'), name: 'x' })).reason).toBe('tool_unavailable');
    await session.close();
  });
});
