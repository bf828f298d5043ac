import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../../testing/src/clock/fake-clock.ts';
import { createScope } from '../policy/scope.ts';
import { CallError } from '../tool/call-error.ts';
import { defineTool } from '../tool/define-tool.ts';
import { Failure } from '../tool/failure.ts';
import { textOutput } from '../tool/make-output.ts';
import { PermanentError } from '../tool/permanent-error.ts';
import type { Profile } from '../tool/profile.ts';
import type { CallContext, Tool } from '../tool/tool.ts';
import { createGate } from './create-gate.ts';
import type { GateConfig } from './gate-config.ts';
import type { GateEvent } from './gate-event.ts';

type Handler = (call: CallContext) => unknown;

/** A gate on a fake clock with one tool. */
function timed(handler: Handler, profile: Profile = {}, config: Partial<GateConfig> = {}) {
  const clock = createFakeClock({ now: 5_000 });
  const events: GateEvent[] = [];
  const tool = defineTool({
    name: 't',
    description: '',
    input: { type: 'object' },
    profile: { class: 'read', ...profile },
    execute: (_input, call) => handler(call),
  });
  const gate = createGate({ tools: [tool], clock, observe: (event) => events.push(event), ...config });
  return { clock, events, gate };
}

const call = (id = 'c1') => ({ id, name: 't', arguments: '{}' });
const never = (): Promise<never> => new Promise(() => {});

/** Settles when the signal is aborted, in the given way. */
const onAbort =
  (settle: (signal: AbortSignal) => unknown): Handler =>
  ({ signal }) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve(settle(signal)));
    });

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

describe('what a tool may do with promises', () => {
  const bare = (execute: Tool['call']): Tool => ({
    definition: () => ({ name: 't', description: '', inputSchema: { type: 'object' } }),
    profile: { class: 'read', timeoutMs: 100 },
    call: execute,
  });
  const output = textOutput('done');
  const hostile = (members: object): Promise<never> => members as Promise<never>;

  test.each<[string, () => unknown, string]>([
    ['returns its result without a promise', () => output, 'completed'],
    [
      'throws at once',
      () => {
        throw new Error('x');
      },
      'handler_error',
    ],
    [
      'returns a thenable',
      () => hostile({ then: (resolve: (value: unknown) => void) => resolve(output) }),
      'completed',
    ],
    [
      'returns a thenable that settles twice',
      () =>
        hostile({
          then: (resolve: (value: unknown) => void, reject: (error: unknown) => void) => {
            resolve(output);
            reject(1);
            resolve(2);
            throw 3;
          },
        }),
      'completed',
    ],
    [
      'returns a thenable that throws',
      () =>
        hostile({
          then: () => {
            throw new Error('x');
          },
        }),
      'handler_error',
    ],
    [
      'returns a thenable whose then cannot be read',
      () =>
        hostile({
          get then() {
            throw new Error('x');
          },
        }),
      'handler_error',
    ],
    ['returns a thenable that never settles', () => hostile({ then: () => {} }), 'deadline_exceeded'],
    [
      'returns a promise with a then of its own that throws',
      () =>
        Object.assign(Promise.resolve(output), {
          then: () => {
            throw new Error('x');
          },
        }),
      'handler_error',
    ],
    [
      'returns a promise with a then of its own that settles twice',
      () =>
        Object.assign(Promise.resolve(output), {
          then: (resolve: (value: unknown) => void, reject: (error: unknown) => void) => {
            resolve(output);
            resolve(output);
            reject(1);
          },
        }),
      'completed',
    ],
    ['rejects with undefined', () => Promise.reject(undefined), 'handler_error'],
    ['gives nothing', () => undefined, 'output_invalid'],
    [
      'gives something that only looks like a result',
      () => ({ kind: 'tool-output', parts: [] }),
      'output_invalid',
    ],
    [
      'gives a proxy that throws',
      () =>
        new Proxy(
          {},
          {
            get: () => {
              throw new Error('x');
            },
            has: () => {
              throw new Error('x');
            },
          },
        ),
      'handler_error',
    ],
  ])('a tool that %s has one outcome', async (_name, execute, reason) => {
    const clock = createFakeClock();
    const session = await createGate({ tools: [bare(execute as Tool['call'])], clock }).open();
    const outcome = session.execute(call());
    await clock.advance(0);
    await clock.advance(100);
    expect((await outcome).reason).toBe(reason);
    await session.close();
  });
});
