import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../../testing/src/clock/fake-clock.ts';
import { createScope } from '../policy/scope.ts';
import { defineTool } from '../tool/define-tool.ts';
import type { ToolCapabilities } from '../tool/tool.ts';
import { createGate } from './create-gate.ts';
import type { GateEvent } from './gate-event.ts';

/** A tool that counts how often it ran. */
function countingTool(name: string, members: Partial<ToolCapabilities> = {}) {
  const runs: unknown[] = [];
  const tool = defineTool({
    name,
    description: '',
    input: { type: 'object', properties: { n: { type: 'integer' } } },
    profile: { class: 'read' },
    execute: (input) => {
      runs.push(input);
      return 'ran';
    },
    ...members,
  });
  return { tool, runs };
}

const call = (name: string, id = 'c1', text = '{}') => ({ id, name, arguments: text });

describe('a tool that is not offered', () => {
  const hidden = countingTool('hidden');
  const root = countingTool('root', { privileged: true });
  const off = countingTool('off', { available: () => false });
  const on = countingTool('on');
  const events: GateEvent[] = [];
  const gate = createGate({
    tools: [hidden.tool, root.tool, off.tool, on.tool],
    scope: createScope({ deny: ['hidden'] }),
    observe: (event) => events.push(event),
  });

  test.each([
    ['unknown', 'unknown_name'],
    ['hidden', 'scope_denied'],
    ['root', 'privileged_not_allowed'],
    ['off', 'availability_denied'],
  ])(
    '%s is refused like any other, whatever is wrong with the call; only audit knows why',
    async (name, detail) => {
      events.length = 0;
      const session = await gate.open();
      for (const proposal of [
        call(name),
        call(name, ' '),
        call(name, 'c1', '{"n":1,"n":2}'),
        call(name, 'c1', '[]'),
      ]) {
        const outcome = await session.execute(proposal);
        expect({ ...outcome, output: outcome.kind === 'suspended' ? '' : outcome.output.text() }).toEqual({
          kind: 'rejected',
          reason: 'tool_unavailable',
          callId: proposal.id,
          name,
          output: 'The tool is not available.',
        });
        expect(JSON.stringify(outcome)).not.toContain(detail);
        expect(outcome.kind === 'rejected' && outcome.detail).toBe(detail);
      }
      await session.close();
      expect(events.filter(({ kind }) => kind === 'call-end')).toMatchObject(
        new Array(4).fill({ reason: 'tool_unavailable', detail, dispatched: false }),
      );
      expect([hidden.runs, root.runs, off.runs]).toEqual([[], [], []]);
    },
  );

  test('is not told from an unknown one when the call was cut off', async () => {
    const session = await gate.open();
    const reasons = [];
    for (const name of ['unknown', 'hidden', 'on']) {
      reasons.push((await session.execute({ ...call(name), complete: false })).reason);
    }
    expect(reasons).toEqual(['call_incomplete', 'call_incomplete', 'call_incomplete']);
    expect(on.runs).toEqual([]);
    await session.close();
  });

  test.each([
    '__proto__',
    'constructor',
    'toString',
    '',
    'on ',
    'ON',
    '../../secret\n',
    'x'.repeat(1_000_000),
  ])('%j is a name like any other that is unknown', async (name) => {
    const session = await gate.open();
    events.length = 0;
    const outcome = await session.execute(call(name));
    expect([outcome.reason, outcome.name]).toEqual(['tool_unavailable', name]);
    for (const event of events) expect('tool' in event ? event.tool.length : 0).toBeLessThanOrEqual(128);
    await session.close();
  });
});

describe('availability', () => {
  test('is asked once for each permitted tool when a session opens, in order of declaration', async () => {
    const asked: string[] = [];
    const make = (name: string, answer: boolean | Promise<boolean>) =>
      countingTool(name, {
        available: () => {
          asked.push(name);
          return answer;
        },
      }).tool;
    const tools = [make('c', true), make('a', Promise.resolve(true)), make('b', false), make('d', true)];
    const gate = createGate({ tools, scope: createScope({ deny: ['d'] }) });
    const session = await gate.open();
    expect(asked).toEqual(['c', 'a', 'b']);
    expect(session.definitions.map(({ name }) => name)).toEqual(['c', 'a']);
    await session.close();
  });

  test('gets the context of the session', async () => {
    const vip = defineTool({
      name: 'vip',
      description: '',
      input: { type: 'object' },
      available: (context: { readonly tier: string }) => context.tier === 'gold',
      execute: () => 'ran',
    });
    const gate = createGate({ tools: [vip] });
    const [gold, iron] = [
      await gate.open({ context: { tier: 'gold' } }),
      await gate.open({ context: { tier: 'iron' } }),
    ];
    expect([gold.definitions.length, iron.definitions.length]).toEqual([1, 0]);
    await Promise.all([gold.close(), iron.close()]);
  });

  test('that is revoked blocks later calls of a list that stays the same', async () => {
    let available = true;
    const { tool, runs } = countingTool('t', { available: () => available });
    const session = await createGate({ tools: [tool] }).open();
    expect((await session.execute(call('t'))).reason).toBe('completed');
    available = false;
    expect((await session.execute(call('t', 'c2', 'not json'))).reason).toBe('tool_unavailable');
    expect(session.definitions.length).toBe(1);
    expect(runs.length).toBe(1);
    await session.close();
  });

  test('that is granted later appears in a new session only', async () => {
    let available = false;
    const gate = createGate({ tools: [countingTool('t', { available: () => available }).tool] });
    const before = await gate.open();
    available = true;
    const after = await gate.open();
    expect([before.definitions.length, after.definitions.length]).toEqual([0, 1]);
    expect((await before.execute(call('t'))).reason).toBe('tool_unavailable');
    expect((await after.execute(call('t'))).reason).toBe('completed');
    await Promise.all([before.close(), after.close()]);
  });

  test('is asked again after a wait for a slot, last before the handler', async () => {
    let available = true;
    let asked = 0;
    let release = (): void => {};
    const slow = defineTool({
      name: 'slow',
      description: '',
      input: { type: 'object' },
      execute: () =>
        new Promise<string>((resolve) => {
          release = () => resolve('done');
        }),
    });
    const { tool, runs } = countingTool('t', {
      available: () => {
        asked += 1;
        return available;
      },
    });
    const session = await createGate({ tools: [slow, tool], concurrency: 1 }).open();
    const turn = session.executeAll([call('slow', 'c1'), call('t', 'c2')]);
    expect(asked).toBe(2);
    available = false;
    release();
    expect((await turn).map(({ reason }) => reason)).toEqual(['completed', 'tool_unavailable']);
    expect([asked, runs]).toEqual([3, []]);
    await session.close();
  });
});

describe('a policy that answers later', () => {
  test.each<[string, () => Promise<boolean>, string]>([
    ['yes', async () => true, 'completed'],
    ['no', async () => false, 'tool_unavailable'],
  ])('is waited for before anything is read: %s', async (_name, later, reason) => {
    let opened = false;
    const { tool } = countingTool('t', { available: () => (opened ? later() : true) });
    const session = await createGate({ tools: [tool] }).open();
    opened = true;
    expect((await session.execute(call('t', 'c1', '{}'))).reason).toBe(reason);
    await session.close();
  });

  test.each<[string, () => Promise<boolean>, string]>([
    ['yes', async () => true, 'completed'],
    ['no', async () => false, 'tool_unavailable'],
  ])('is asked again after a wait, and waited for again: %s', async (_name, later, reason) => {
    let waited = false;
    const { tool } = countingTool('t', { available: () => (waited ? later() : true) });
    const approve = async (): Promise<'allow'> => {
      waited = true;
      return 'allow';
    };
    const session = await createGate({ tools: [tool], scope: createScope({ approve }) }).open();
    expect((await session.execute(call('t'))).reason).toBe(reason);
    await session.close();
  });

  test('and fails ends the run', async () => {
    let opened = false;
    const { tool, runs } = countingTool('t', {
      available: () => (opened ? Promise.reject(new Error('late')) : true),
    });
    const session = await createGate({ tools: [tool] }).open();
    opened = true;
    await expect(session.execute(call('t'))).rejects.toMatchObject({
      code: 'gate/availability',
      cause: { message: 'late' },
    });
    expect(runs).toEqual([]);
    await session.close();
  });

  test('after the call was cancelled changes nothing', async () => {
    let opened = false;
    let answer = (_available: boolean): void => {};
    let fail = (_error: Error): void => {};
    const { tool, runs } = countingTool('t', {
      available: () =>
        opened
          ? new Promise((resolve, reject) => {
              answer = resolve;
              fail = reject;
            })
          : true,
    });
    for (const settle of [() => answer(true), () => fail(new Error('late'))]) {
      opened = false;
      const session = await createGate({ tools: [tool] }).open();
      opened = true;
      const outcome = session.execute(call('t'));
      const closing = session.close();
      settle();
      expect((await outcome).reason).toBe('not_started');
      await closing;
    }
    expect(runs).toEqual([]);
  });
});

describe('an availability policy that cannot decide', () => {
  const cause = new Error('db.internal:5432 refused');

  test.each<[string, () => boolean | Promise<boolean>]>([
    [
      'throws',
      () => {
        throw cause;
      },
    ],
    ['rejects', () => Promise.reject(cause)],
  ])('keeps a session from opening when it %s; the first one in order counts', async (_name, available) => {
    const tools = [
      countingTool('late', {
        available: async () => {
          await Promise.resolve();
          throw cause;
        },
      }).tool,
      countingTool('t', { available: () => Promise.reject(new Error('second')) }).tool,
      countingTool('x', { available }).tool,
    ];
    const opened = createGate({ tools: tools.slice(0, 2) }).open();
    await expect(opened).rejects.toThrow(expect.objectContaining({ code: 'gate/availability', cause }));
    await expect(createGate({ tools: tools.slice(2) }).open()).rejects.toThrow(
      expect.objectContaining({
        code: 'gate/availability',
        cause,
        message: expect.not.stringContaining('db.internal'),
      }),
    );
  });

  test.each([1, 'yes', null, {}, [true]])(
    'because it answers %j keeps a session from opening',
    async (answer) => {
      const { tool } = countingTool('t', { available: () => answer as boolean });
      await expect(createGate({ tools: [tool] }).open()).rejects.toThrow(
        expect.objectContaining({ code: 'gate/availability' }),
      );
    },
  );

  test('during a run ends it: siblings are cancelled and joined, and every call has its outcome', async () => {
    let opened = false;
    const broken = countingTool('broken', {
      available: () => {
        if (opened) throw cause;
        return true;
      },
    });
    const cooperative = defineTool({
      name: 'cooperative',
      description: '',
      input: { type: 'object' },
      execute: (_input, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    });
    const session = await createGate({ tools: [cooperative, broken.tool] }).open();
    opened = true;
    const turn = session.executeAll([
      call('cooperative', 'c1'),
      call('broken', 'c2'),
      call('cooperative', 'c3'),
    ]);
    await expect(turn).rejects.toMatchObject({
      code: 'gate/availability',
      callId: 'c2',
      cause,
      outcomes: [
        { callId: 'c1', reason: 'cancelled_after_dispatch' },
        { callId: 'c2', reason: 'not_started' },
        { callId: 'c3', reason: 'not_started' },
      ],
    });
    expect(broken.runs).toEqual([]);
    await expect(session.execute(call('cooperative'))).rejects.toThrow(
      expect.objectContaining({
        code: 'gate/session-closed',
        cause: expect.objectContaining({ code: 'gate/availability' }),
      }),
    );
    await session.close();
  });

  test('by never answering keeps nobody for ever', async () => {
    const clock = createFakeClock();
    let deaf = true;
    const { tool } = countingTool('t', { available: () => (deaf ? new Promise<boolean>(() => {}) : true) });
    const gate = createGate({ tools: [tool], clock, limits: { policyTimeoutMs: 100 } });
    const opening = gate.open();
    const refused = expect(opening).rejects.toThrow(expect.objectContaining({ code: 'gate/availability' }));
    await clock.advance(100);
    await refused;
    deaf = false;
    const session = await gate.open();
    deaf = true;
    const executing = session.execute(call('t'));
    const ended = expect(executing).rejects.toThrow(expect.objectContaining({ code: 'gate/availability' }));
    await clock.advance(100);
    await ended;
    await session.close();
    expect(clock.pending).toBe(0);
  });

  test('is not waited for when the run is cancelled meanwhile', async () => {
    const { tool } = countingTool('t', { available: () => new Promise<boolean>(() => {}) });
    const controller = new AbortController();
    const clock = createFakeClock();
    const opening = createGate({ tools: [tool], clock }).open({ context: 0, signal: controller.signal });
    const refused = expect(opening).rejects.toBe('stop');
    controller.abort('stop');
    await refused;
  });
});
