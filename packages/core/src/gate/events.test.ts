import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../../testing/src/clock/fake-clock.ts';
import { createScope } from '../policy/scope.ts';
import { defineTool } from '../tool/define-tool.ts';
import { guard } from '../tool/guard.ts';
import { isToolOutput } from '../tool/make-output.ts';
import { PermanentError } from '../tool/permanent-error.ts';
import { createGate } from './create-gate.ts';
import type { GateConfig } from './gate-config.ts';
import type { GateEvent } from './gate-event.ts';
import { createRedactor } from './redactor.ts';

const SECRET = 'top-secret';

/** Runs one turn of one tool and gives everything that was observed. */
async function observe(
  execute: (clock: ReturnType<typeof createFakeClock>) => unknown,
  config: Partial<GateConfig> = {},
  text = `{"note":"${SECRET}"}`,
): Promise<GateEvent[]> {
  const clock = createFakeClock({ now: 1_000 });
  const events: GateEvent[] = [];
  const tool = defineTool({
    name: 't',
    description: '',
    input: { type: 'object', properties: { note: { type: 'string' } } },
    profile: { class: 'write', timeoutMs: 50 },
    execute: (_input, { progress }) => {
      progress?.({ progress: 1, total: 2, message: SECRET });
      progress?.({ progress: Number.NaN });
      return execute(clock);
    },
  });
  const hidden = defineTool({ name: 'hidden', description: '', input: { type: 'object' }, execute: () => 1 });
  const gate = createGate({
    tools: [guard({ tool, authorizer: () => true }), hidden],
    scope: createScope({ deny: ['hidden'], approve: () => 'allow' }),
    clock,
    ids: () => 'id',
    observe: (event) => events.push(event),
    ...config,
  });
  const session = await gate.open({ context: SECRET, principal: 'ana' });
  const turn = session.executeAll([{ id: 'c1', name: 't', arguments: text }]).catch(() => []);
  await clock.advance(0);
  await clock.advance(20);
  await turn;
  await session.close();
  return events;
}

describe('events', () => {
  test('tell one call from its beginning to its end, in order', async () => {
    const events = await observe(
      (clock) =>
        new Promise((resolve) => {
          clock.setTimer(() => resolve(SECRET), 20);
        }),
    );
    expect(events).toEqual([
      {
        kind: 'session-open',
        sessionId: 'id',
        at: 1_000,
        principal: 'ana',
        offered: ['t'],
        hidden: [{ tool: 'hidden', detail: 'scope_denied' }],
      },
      { kind: 'call-start', sessionId: 'id', at: 1_000, callId: 'c1', tool: 't' },
      {
        kind: 'decision',
        step: 'authorization',
        verdict: 'allow',
        sessionId: 'id',
        at: 1_000,
        callId: 'c1',
        tool: 't',
      },
      {
        kind: 'approval-request',
        approvalId: 'id',
        class: 'write',
        expiresAt: 3_601_000,
        sessionId: 'id',
        at: 1_000,
        callId: 'c1',
        tool: 't',
      },
      {
        kind: 'decision',
        step: 'approval',
        verdict: 'allow',
        approvalId: 'id',
        sessionId: 'id',
        at: 1_000,
        callId: 'c1',
        tool: 't',
      },
      {
        kind: 'call-dispatch',
        class: 'write',
        waitedMs: 0,
        sessionId: 'id',
        at: 1_000,
        callId: 'c1',
        tool: 't',
      },
      { kind: 'call-progress', progress: 1, total: 2, sessionId: 'id', at: 1_000, callId: 'c1', tool: 't' },
      {
        kind: 'call-end',
        outcome: 'completed',
        reason: 'completed',
        dispatched: true,
        durationMs: 20,
        outputBytes: 10,
        redactions: 0,
        mended: 0,
        sessionId: 'id',
        at: 1_020,
        callId: 'c1',
        tool: 't',
      },
      { kind: 'session-close', sessionId: 'id', at: 1_020, calls: 1, stragglers: [] },
    ]);
    expect(events.every((event) => Object.isFrozen(event))).toBe(true);
  });

  test.each<[string, () => unknown, string]>([
    ['returns', () => ({ note: SECRET }), `{"note":"${SECRET}"}`],
    [
      'throws',
      () => {
        throw new Error(SECRET);
      },
      `{"note":"${SECRET}"}`,
    ],
    [
      'ends the run',
      () => {
        throw new PermanentError(new Error(SECRET));
      },
      `{"note":"${SECRET}"}`,
    ],
    ['is not reached', () => 1, `{"note":"${SECRET}","note":"${SECRET}"}`],
    ['is not reached by', () => 1, `{"other":"${SECRET}"`],
  ])('hold no content by default when the handler %s', async (_name, execute, text) => {
    expect(JSON.stringify(await observe(execute, {}, text))).not.toContain(SECRET);
  });

  test('hold arguments, requests, progress texts, results and causes when that is written', async () => {
    const events = await observe(() => `${SECRET} result`, { content: 'full' });
    expect(events.find(({ kind }) => kind === 'call-start')).toHaveProperty(
      'arguments',
      `{"note":"${SECRET}"}`,
    );
    expect(events.find(({ kind }) => kind === 'approval-request')).toHaveProperty(
      'request.arguments.note',
      SECRET,
    );
    expect(events.find(({ kind }) => kind === 'call-progress')).toHaveProperty('message', SECRET);
    const end = events.find(({ kind }) => kind === 'call-end');
    expect(end?.kind === 'call-end' && end.output?.text()).toBe(`${SECRET} result`);
    const thrown = await observe(
      () => {
        throw new Error(SECRET);
      },
      { content: 'full' },
    );
    expect(thrown.find(({ kind }) => kind === 'call-end')).toHaveProperty('cause.message', SECRET);
  });

  test('say what was done to a result and to its arguments', async () => {
    const tool = defineTool({
      name: 't',
      description: '',
      input: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
      profile: { class: 'read' },
      resultBudget: { bytes: 400, overflow: 'truncate' },
      execute: () => 'hunter2 '.repeat(1_000),
    });
    const events: GateEvent[] = [];
    const session = await createGate({
      tools: [tool],
      scope: createScope({ approve: () => ({ decision: 'allow', arguments: { n: 2 } }) }),
      redact: createRedactor({ secrets: ['hunter2'] }),
      repair: () => '{"n":1}',
      observe: (event) => events.push(event),
    }).open();
    await session.execute({ id: 'c1', name: 't', arguments: '{n:1}' });
    await session.close();
    const end = events.find(({ kind }) => kind === 'call-end');
    expect(end).toMatchObject({
      reason: 'completed_truncated',
      originalBytes: 8_000,
      redactions: 1_000,
      edited: true,
      repaired: true,
    });
    expect(end?.kind === 'call-end' ? end.outputBytes : 0).toBeLessThanOrEqual(400);
    expect(events.filter(({ kind }) => kind === 'decision')).toMatchObject([
      { step: 'approval', edited: true },
    ]);
  });

  test('of a straggler carry what it returned only when that is written', async () => {
    let finish = (): void => {};
    const clock = createFakeClock();
    const events: GateEvent[] = [];
    const tool = defineTool({
      name: 't',
      description: '',
      input: { type: 'object' },
      profile: { timeoutMs: 10 },
      execute: () =>
        new Promise((resolve) => {
          finish = () => resolve('late');
        }),
    });
    const gate = createGate({
      tools: [tool],
      clock,
      content: 'full',
      observe: (event) => events.push(event),
    });
    const session = await gate.open();
    const outcome = session.execute({ id: 'c1', name: 't', arguments: '' });
    await clock.advance(10);
    await outcome;
    finish();
    await clock.advance(5);
    const late = events.at(-1);
    expect(late?.kind === 'straggler' && isToolOutput(late.result) && late.result.text()).toBe('late');
    await session.close();
  });

  test('say which call ended the run, and why', async () => {
    const events = await observe(() => {
      throw new PermanentError(1);
    });
    expect(events.find(({ kind }) => kind === 'call-end')).toMatchObject({
      reason: 'handler_error',
      error: 'gate/permanent',
    });
  });

  test.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('observer');
      },
    ],
    ['rejects', () => Promise.reject(new Error('observer'))],
    [
      'gives a hostile thenable',
      () => ({
        get then() {
          throw new Error('observer');
        },
      }),
    ],
    [
      'gives a thenable that throws',
      () => ({
        then: () => {
          throw new Error('observer');
        },
      }),
    ],
  ])('change nothing when the observer %s', async (_name, observer) => {
    const clock = createFakeClock();
    const tool = defineTool({ name: 't', description: '', input: { type: 'object' }, execute: () => 'done' });
    const gate = createGate({ tools: [tool], clock, observe: () => observer() as undefined });
    const session = await gate.open();
    expect((await session.execute({ id: 'c', name: 't', arguments: '' })).reason).toBe('completed');
    await session.close();
  });

  test('carry names and ids that a model made up, bounded and well-formed', async () => {
    const events: GateEvent[] = [];
    const session = await createGate({ tools: [], observe: (event) => events.push(event) }).open();
    await session.execute({ id: '\ud800'.repeat(100_000), name: 'x\ud800'.repeat(100_000), arguments: '{}' });
    await session.close();
    const [start] = events.filter(({ kind }) => kind === 'call-start');
    if (start?.kind !== 'call-start') throw new Error('no call-start');
    expect([start.callId.length, start.tool.length]).toEqual([128, 128]);
    expect(start.callId.isWellFormed() && start.tool.isWellFormed()).toBe(true);
  });
});
