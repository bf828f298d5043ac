import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../../testing/src/clock/fake-clock.ts';
import { call, never, timed } from '../../test-support/timed-gate.ts';
import { createScope } from '../policy/scope.ts';
import { defineTool } from '../tool/define-tool.ts';
import type { Profile } from '../tool/profile.ts';
import { createGate } from './create-gate.ts';
import type { GateConfig } from './gate-config.ts';

describe('a deadline', () => {
  test('ends a call whose handler ignores everything, and says that its effects are unknown', async () => {
    const { clock, events, gate } = timed(never, { timeoutMs: 200 });
    const session = await gate.open();
    const outcome = session.execute(call());
    await clock.advance(199);
    expect(events.some(({ kind }) => kind === 'call-end')).toBe(false);
    await clock.advance(1);
    expect(await outcome).toMatchObject({ kind: 'unknown', reason: 'deadline_exceeded' });
    expect(events.at(-1)).toMatchObject({ kind: 'call-end', reason: 'deadline_exceeded', dispatched: true });
    expect((await session.close()).stragglers).toEqual([{ callId: 'c1', tool: 't' }]);
    expect(clock.pending).toBe(0);
  });

  test.each<[string, Partial<GateConfig>, string]>([
    [
      'is offered',
      {},
      'The tool did not finish in time. Its effects are unknown. Check with look before you repeat it.',
    ],
    [
      'the scope hides',
      { scope: createScope({ deny: ['look'] }) },
      'The tool did not finish in time. Its effects are unknown.',
    ],
  ])('says which tool shows what became of the call, where that one %s', async (_, config, text) => {
    const clock = createFakeClock();
    const input = { type: 'object' } as const;
    const slow = defineTool({
      name: 't',
      description: '',
      input,
      profile: { timeoutMs: 200, checkWith: 'look' },
      execute: never,
    });
    const look = defineTool({ name: 'look', description: '', input, execute: () => 'seen' });
    const session = await createGate({ tools: [slow, look], clock, ...config }).open();
    const outcome = session.execute(call());
    await clock.advance(200);
    const ended = await outcome;
    expect(ended.kind === 'unknown' && ended.output.text()).toBe(text);
    await session.close();
  });

  test('is ten minutes where a tool names none', async () => {
    const { clock, gate } = timed(never);
    const session = await gate.open();
    const outcome = session.execute(call());
    await clock.advance(600_000);
    expect((await outcome).reason).toBe('deadline_exceeded');
    await session.close();
  });

  test('is absent only where that is written', async () => {
    let finish = (): void => {};
    const { clock, gate } = timed(
      () =>
        new Promise<void>((resolve) => {
          finish = resolve;
        }),
      { timeoutMs: 'none' },
    );
    const session = await gate.open();
    const outcome = session.execute(call());
    await clock.advance(10_000_000_000);
    finish();
    expect((await outcome).reason).toBe('completed');
    expect(clock.pending).toBe(0);
    await session.close();
  });

  test('of forty days does not fire at once', async () => {
    const { clock, gate } = timed(never, { timeoutMs: 40 * 86_400_000 });
    const session = await gate.open();
    const outcome = session.execute(call());
    await clock.advance(40 * 86_400_000 - 1);
    expect(clock.pending).toBe(1);
    await clock.advance(1);
    expect((await outcome).reason).toBe('deadline_exceeded');
    await session.close();
  });

  test('aborts the signal of the call and of no other', async () => {
    const seen: unknown[] = [];
    const { clock, gate } = timed(
      ({ signal, callId }) => {
        signal.addEventListener('abort', () => seen.push(callId, signal.reason));
        return never();
      },
      { timeoutMs: 100 },
    );
    const session = await gate.open();
    const first = session.execute(call('c1'));
    await clock.advance(50);
    const second = session.execute(call('c2'));
    await clock.advance(50);
    expect((await first).reason).toBe('deadline_exceeded');
    expect(seen).toMatchObject(['c1', { name: 'TimeoutError' }]);
    await clock.advance(50);
    await second;
    await session.close();
  });

  test('is not changed by what a handler that was given up returns or throws later; the audit learns of it', async () => {
    for (const [settle, settled] of [
      [(resolve: () => void) => resolve(), 'fulfilled'],
      [(_: unknown, reject: (error: Error) => void) => reject(new Error('late')), 'rejected'],
    ] as const) {
      let finish = (): void => {};
      const { clock, events, gate } = timed(
        () =>
          new Promise<void>((resolve, reject) => {
            finish = () => settle(resolve, reject);
          }),
        { timeoutMs: 100 },
      );
      const session = await gate.open();
      const outcome = session.execute(call());
      await clock.advance(100);
      const before = await outcome;
      await clock.advance(400);
      finish();
      await clock.advance(0);
      expect(events.at(-1)).toMatchObject({
        kind: 'straggler',
        callId: 'c1',
        tool: 't',
        settled,
        lateMs: 400,
      });
      expect(events.at(-1)).not.toHaveProperty('result');
      expect(await outcome).toBe(before);
      expect((await session.close()).stragglers).toEqual([]);
    }
  });

  test('frees the slot of a handler that may never settle at once, and its key when it had time to end', async () => {
    const ran: string[] = [];
    const { clock, gate } = timed(
      ({ callId }) => {
        ran.push(String(callId));
        return callId === 'c1' ? never() : 'ran';
      },
      { timeoutMs: 100, resourceKey: (args) => (args['other'] === true ? 'other' : 'k') },
      { concurrency: 1, graceMs: 50 },
    );
    const session = await gate.open();
    const other = { ...call('c3'), arguments: '{"other":true}' };
    const turn = session.executeAll([call('c1'), call('c2'), other]);
    await clock.advance(100);
    expect(ran).toEqual(['c1', 'c3']);
    await clock.advance(50);
    expect((await turn).map(({ reason }) => reason)).toEqual(['deadline_exceeded', 'completed', 'completed']);
    await session.close();
    expect(clock.pending).toBe(0);
  });

  test.each<[string, Profile]>([
    ['with its key', { resourceKey: 'k' }],
    ['that waits for what changes something', { class: 'write' }],
    ['of the same unknown kind', { class: 'unclassified' }],
  ])('lets no call %s run beside a handler that is about to stop', async (_, profile) => {
    const log: string[] = [];
    const { clock, gate } = timed(
      ({ callId, signal }) => {
        log.push(`${callId} began`);
        if (callId !== 'c1') return 'ran';
        return new Promise((resolve) => {
          // It has to put back what it was about to change.
          const stop = (): void => void clock.setTimer(() => resolve(log.push('c1 ended')), 30);
          signal.addEventListener('abort', stop);
        });
      },
      { timeoutMs: 100, ...profile },
    );
    const session = await gate.open();
    const turn = session.executeAll([call('c1'), call('c2')]);
    await clock.advance(100);
    expect(log).toEqual(['c1 began']);
    await clock.advance(30);
    expect(log).toEqual(['c1 began', 'c1 ended', 'c2 began']);
    expect((await turn).map(({ reason }) => reason)).toEqual(['deadline_exceeded', 'completed']);
    expect((await session.close()).stragglers).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  test('makes no call wait that may run beside the handler', async () => {
    const { clock, gate } = timed(
      ({ callId }) => (callId === 'c1' ? never() : 'ran'),
      { timeoutMs: 100 },
      { concurrency: 1 },
    );
    const session = await gate.open();
    const turn = session.executeAll([call('c1'), call('c2')]);
    await clock.advance(100);
    expect((await turn).map(({ reason }) => reason)).toEqual(['deadline_exceeded', 'completed']);
    await session.close();
  });

  test('does not count the time that a call waited for its turn', async () => {
    const { clock, gate } = timed(
      ({ callId }) =>
        new Promise((resolve) => {
          clock.setTimer(() => resolve(callId), 80);
        }),
      { timeoutMs: 100, resourceKey: 'k' },
    );
    const session = await gate.open();
    const turn = session.executeAll([call('c1'), call('c2'), call('c3')]);
    await clock.advance(240);
    expect((await turn).map(({ reason }) => reason)).toEqual(['completed', 'completed', 'completed']);
    await session.close();
  });

  test('never throws away a result that was there in time', async () => {
    const { clock, gate } = timed(
      () =>
        new Promise((resolve) => {
          clock.setTimer(() => resolve('just'), 100);
        }),
      { timeoutMs: 101 },
    );
    const session = await gate.open();
    const outcome = session.execute(call());
    await clock.advance(101);
    expect((await outcome).reason).toBe('completed');
    await session.close();
  });

  test('sets no timer for a handler that answers at once', async () => {
    const clock = createFakeClock();
    let set = 0;
    const counting = {
      ...clock,
      now: clock.now,
      setTimer: (callback: () => void, ms: number) => {
        set += 1;
        return clock.setTimer(callback, ms);
      },
    };
    const { gate } = timed(() => 'at once', {}, { clock: counting });
    const session = await gate.open();
    for (let index = 0; index < 100; index += 1) await session.execute(call());
    expect(set).toBe(0);
    await session.close();
    expect(clock.pending).toBe(0);
  });
});
