import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../../testing/src/clock/fake-clock.ts';
import { createGrant } from '../policy/approval-grant.ts';
import { createScope } from '../policy/scope.ts';
import { defineTool } from '../tool/define-tool.ts';
import type { CallContext } from '../tool/tool.ts';
import { CallRun } from './call-run.ts';
import { createGate } from './create-gate.ts';
import type { GateConfig } from './gate-config.ts';
import { createGateCore } from './gate-core.ts';
import { GateError } from './gate-error.ts';
import { readGateConfig } from './read-gate-config.ts';
import { SessionState } from './session-state.ts';

/** A gate with one tool of class read. */
function gateWith(execute: (call: CallContext, input: object) => unknown, config: Partial<GateConfig> = {}) {
  const tool = defineTool({
    name: 't',
    description: '',
    input: { type: 'object', properties: { n: { type: 'integer' } } },
    profile: { class: 'read' },
    execute: (input, call) => execute(call, input),
  });
  return createGate({ tools: [tool], ...config });
}

const call = (id: string, name = 't', text = '{}') => ({ id, name, arguments: text });

describe('a turn', () => {
  test('has one outcome for each call, in call order, whatever happens to each', async () => {
    const session = await gateWith(({ callId }) => {
      if (callId === 'throws') throw new Error('x');
      return callId;
    }).open();
    const outcomes = await session.executeAll([
      call('first'),
      call('unknown', 'nobody'),
      call('throws'),
      call('malformed', 't', '{'),
      { ...call('cut'), complete: false },
      call('last'),
    ]);
    expect(outcomes.map(({ callId, reason }) => [callId, reason])).toEqual([
      ['first', 'completed'],
      ['unknown', 'tool_unavailable'],
      ['throws', 'handler_error'],
      ['malformed', 'arguments_malformed'],
      ['cut', 'call_incomplete'],
      ['last', 'completed'],
    ]);
    expect(Object.isFrozen(outcomes)).toBe(true);
    expect(await session.executeAll([])).toEqual([]);
    await session.close();
  });

  test('executes a repeated id once, the first time', async () => {
    const runs: unknown[] = [];
    const session = await gateWith((_call, input) => runs.push(input)).open();
    const outcomes = await session.executeAll([
      call('a', 't', '{"n":1}'),
      call('a', 't', '{"n":2}'),
      call('b', 'nobody'),
      call('b', 't', '{"n":3}'),
      call('', 't'),
      call('', 't'),
    ]);
    expect(outcomes.map(({ reason }) => reason)).toEqual([
      'completed',
      'call_id_duplicate',
      'tool_unavailable',
      'call_id_duplicate',
      'call_id_invalid',
      'call_id_invalid',
    ]);
    expect(runs).toEqual([{ n: 1 }]);
    expect((await session.executeAll([call('a')]))[0]?.reason).toBe('completed');
    await session.close();
  });

  test('executes as many calls as one turn may have, and refuses the others by name', async () => {
    let runs = 0;
    const gate = (limits: GateConfig['limits']) =>
      gateWith(
        () => {
          runs += 1;
        },
        limits === undefined ? {} : { limits },
      );
    const session = await gate(undefined).open();
    const outcomes = await session.executeAll(
      Array.from({ length: 1_000 }, (_, index) => call(String(index))),
    );
    expect(outcomes.filter(({ reason }) => reason === 'completed').length).toBe(128);
    expect(
      outcomes.slice(128).every(({ kind, reason }) => kind === 'rejected' && reason === 'call_limit'),
    ).toBe(true);
    expect(runs).toBe(128);
    await session.close();
    const few = await gate({ maxCallsPerTurn: 1 }).open();
    expect((await few.executeAll([call('a'), call('b')])).map(({ reason }) => reason)).toEqual([
      'completed',
      'call_limit',
    ]);
    await few.close();
  });

  test('cannot be changed by a handler while it runs', async () => {
    const seen: unknown[] = [];
    const calls = [call('a', 't', '{"n":1}'), call('b', 't', '{"n":2}')];
    const session = await gateWith((_call, input) => {
      seen.push(input);
      calls[1] = call('b', 't', '{"n":99}');
      calls.push(call('c'));
    }).open();
    expect((await session.executeAll(calls)).length).toBe(2);
    expect(seen).toEqual([{ n: 1 }, { n: 2 }]);
    await session.close();
  });

  test.each([[null], [undefined], ['calls'], [{ length: 1 }]])('that is %j is misuse', async (calls) => {
    const session = await gateWith(() => 1).open();
    await expect(session.executeAll(calls as never)).rejects.toMatchObject({ code: 'gate/options-invalid' });
    await session.close();
  });

  test('with a hostile array member still has an outcome for each', async () => {
    const session = await gateWith(() => 1).open();
    const outcomes = await session.executeAll([null, undefined, 5, call('ok'), new Array(1)[0]] as never);
    expect(outcomes.map(({ reason }) => reason)).toEqual([
      ...new Array(3).fill('tool_unavailable'),
      'completed',
      'tool_unavailable',
    ]);
    await session.close();
  });
});

describe('closing a session', () => {
  test('lets go of the signal, joins what runs, and refuses what comes later', async () => {
    const controller = new AbortController();
    const session = await gateWith(
      ({ signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve('stopped'));
        }),
    ).open({ context: 0, signal: controller.signal });
    const outcome = session.execute(call('a'));
    const report = await session.close();
    expect((await outcome).reason).toBe('completed');
    expect(report).toEqual({ sessionId: session.id, calls: 1, stragglers: [] });
    expect(Object.isFrozen(report)).toBe(true);
    expect(await session.close()).toBe(report);
    await expect(session.execute(call('b'))).rejects.toMatchObject({ code: 'gate/session-closed' });
    await expect(session.executeAll([call('b')])).rejects.toMatchObject({ code: 'gate/session-closed' });
    controller.abort();
  });

  test('names handlers that still run, and the gate goes on working', async () => {
    const clock = createFakeClock();
    const gate = gateWith(({ callId }) => (callId === 'deaf' ? new Promise(() => {}) : 'ok'), {
      clock,
      graceMs: 10,
    });
    const session = await gate.open();
    const outcomes = [session.execute(call('deaf')), session.execute(call('b'))];
    const report = session.close();
    await clock.advance(0);
    await clock.advance(10);
    expect((await report).stragglers).toEqual([{ callId: 'deaf', tool: 't' }]);
    expect((await Promise.all(outcomes)).map(({ reason }) => reason)).toEqual([
      'cancelled_after_dispatch',
      'completed',
    ]);
    const next = await gate.open();
    expect((await next.execute(call('c'))).reason).toBe('completed');
    await next.close();
    expect(clock.pending).toBe(0);
  });

  test('works by await using', async () => {
    const session = await gateWith(() => 1).open();
    await session[Symbol.asyncDispose]();
    await expect(session.execute(call('a'))).rejects.toMatchObject({ code: 'gate/session-closed' });
  });

  test('from within a handler ends that handler as well', async () => {
    let close = async (): Promise<unknown> => undefined;
    const session = await gateWith(({ signal }) => {
      void close();
      return new Promise((_resolve, reject) => {
        if (signal.aborted) reject(signal.reason);
      });
    }).open();
    close = () => session.close();
    expect((await session.execute(call('a'))).reason).toBe('cancelled_after_dispatch');
    await session.close();
  });
});

describe('an observer of one session', () => {
  test('is told about this session only, beside the observer of the gate', async () => {
    const all: string[] = [];
    const own: string[] = [];
    const gate = gateWith(() => 1, { observe: ({ kind, sessionId }) => all.push(`${sessionId} ${kind}`) });
    const one = await gate.open({ context: 0, sessionId: 'one', observe: ({ kind }) => own.push(kind) });
    const two = await gate.open({ context: 0, sessionId: 'two' });
    await one.execute(call('a', 'nobody'));
    await Promise.all([one.close(), two.close()]);
    expect(own).toEqual(['session-open', 'call-start', 'decision', 'call-end', 'session-close']);
    expect(all.filter((line) => line.startsWith('one'))).toEqual(own.map((kind) => `one ${kind}`));
    expect(all.filter((line) => line.startsWith('two'))).toEqual(['two session-open', 'two session-close']);
    await expect(gate.open({ context: 0, observe: {} as never })).rejects.toMatchObject({
      code: 'gate/options-invalid',
    });
  });
});

describe('what a handler is handed', () => {
  test('is the context, the call id, and nothing that was not asked for', async () => {
    const contexts: CallContext[] = [];
    const session = await gateWith((context) => contexts.push(context)).open({ context: { user: 'ana' } });
    await session.execute(call('a'));
    const [context] = contexts;
    expect(context?.context).toEqual({ user: 'ana' });
    expect(context?.callId).toBe('a');
    expect(context?.cancelled).toBe(false);
    expect(context?.progress).toBeUndefined();
    expect(context?.signal).toBe(context?.signal);
    expect(context?.signal.aborted).toBe(false);
    await session.close();
  });

  test('has a key that is the same for the same session, call and arguments only', async () => {
    const keys: (string | undefined)[] = [];
    const gate = gateWith((context) => keys.push(context.idempotencyKey));
    const run = async (sessionId: string, id: string, text: string): Promise<void> => {
      const session = await gate.open({ context: 0, sessionId });
      await session.execute(call(id, 't', text));
      await session.close();
    };
    await run('s1', 'c1', '{"n":1}');
    await run('s1', 'c1', ' {"n": 1.0}');
    await run('s2', 'c1', '{"n":1}');
    await run('s1', 'c2', '{"n":1}');
    await run('s1', 'c1', '{"n":2}');
    expect(keys[0]).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(new Set(keys).size).toBe(4);
  });
});

describe('what is injected and breaks', () => {
  const breaking = (member: 'now' | 'elapsed') => {
    const fake = createFakeClock();
    const state = { broken: false };
    const read = (): number => {
      if (state.broken) throw new Error('clock');
      return fake.now();
    };
    return { state, clock: { ...fake, [member]: read } };
  };

  test('a clock that throws when a handler is to be awaited loses no outcome', async () => {
    const { state, clock } = breaking('elapsed');
    const session = await gateWith(() => Promise.resolve('done'), { clock }).open();
    state.broken = true;
    expect(await session.execute(call('a'))).toMatchObject({
      reason: 'handler_error',
      cause: { message: 'clock' },
    });
    state.broken = false;
    expect((await session.execute(call('b'))).reason).toBe('completed');
    await session.close();
  });

  test('a clock that throws while an approval is asked for starts nothing', async () => {
    const { state, clock } = breaking('now');
    let runs = 0;
    const scope = createScope({ approve: () => 'allow' });
    const count = (): void => {
      runs += 1;
    };
    const session = await gateWith(count, { clock, scope }).open();
    state.broken = true;
    expect(await session.execute(call('a'))).toMatchObject({
      reason: 'not_started',
      cause: { message: 'clock' },
    });
    await session.close();
    expect(runs).toBe(0);
  });

  test('a clock that throws while a grant is looked at starts nothing', async () => {
    const { state, clock } = breaking('now');
    const scope = createScope({ approve: () => 'defer' });
    const session = await gateWith(() => 1, { clock, scope }).open();
    const outcome = await session.execute(call('a'));
    if (outcome.kind !== 'suspended') throw new Error(outcome.reason);
    state.broken = true;
    const grant = createGrant(outcome.approval);
    expect((await session.execute(call('a'), { grant })).reason).toBe('not_started');
    expect(grant.used).toBe(false);
    await session.close();
  });
});

describe('the error of a gate', () => {
  test('is recognised by name and code, also from another copy, and never by anything else', () => {
    const error = new GateError('gate/permanent', 'x');
    expect(GateError.is(error)).toBe(true);
    expect(GateError.is(Object.assign(new Error('x'), { name: 'GateError', code: 'gate/approval' }))).toBe(
      true,
    );
    const hostile = new Proxy(new Error('x'), {
      get: () => {
        throw new Error('no');
      },
      getPrototypeOf: () => {
        throw new Error('no');
      },
    });
    const others = [undefined, 'gate/permanent', { name: 'GateError', code: 'gate/permanent' }, hostile];
    for (const other of [
      ...others,
      new Error('x'),
      Object.assign(new Error('x'), { name: 'GateError', code: 'tool/x' }),
    ]) {
      expect(GateError.is(other)).toBe(false);
    }
    expect(error.outcomes).toBeUndefined();
    expect(JSON.stringify(new GateError('gate/permanent', 'x', { cause: 'secret' }))).not.toContain('secret');
  });
});

test('the steps of a call cannot be taken before the tool is known', () => {
  const core = createGateCore(readGateConfig({ tools: [] }));
  const none = { principal: undefined, hidden: new Map(), approvals: new Map(), observe: undefined };
  const state = new SessionState({ core, id: 's', context: 0, ...none });
  const run = new CallRun(state, call('a'), undefined);
  expect(() => run.entry).toThrow(TypeError);
  expect(() => run.ticket).toThrow(TypeError);
  expect(() => run.invocation).toThrow(TypeError);
  expect(run.context.idempotencyKey).toMatch(/^sha256:/);
});
