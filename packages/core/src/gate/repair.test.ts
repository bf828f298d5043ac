import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../../testing/src/clock/fake-clock.ts';
import { defineTool } from '../tool/define-tool.ts';
import type { ExecutionClass, Profile } from '../tool/profile.ts';
import { createGate } from './create-gate.ts';
import type { GateConfig } from './gate-config.ts';
import type { GateEvent } from './gate-event.ts';
import type { Repair, RepairRequest } from './repair.ts';

/** Runs one call through a gate that repairs. */
async function repaired(
  repair: Repair,
  text: string,
  profile: Profile = { class: 'read' },
  config: Partial<GateConfig> = {},
) {
  const runs: unknown[] = [];
  const events: GateEvent[] = [];
  const base = defineTool({
    name: 't',
    description: 'Adds.',
    input: {
      type: 'object',
      properties: { n: { type: 'integer' } },
      required: ['n'],
      additionalProperties: false,
    },
    execute: (input) => {
      runs.push(input);
      return 'ran';
    },
  });
  // A class that no list knows can only be declared by hand.
  const gate = createGate({
    tools: [{ ...base, profile }],
    repair,
    observe: (event) => events.push(event),
    ...config,
  });
  const session = await gate.open({ context: 'who' });
  const outcome = await session.execute({ id: 'c1', name: 't', arguments: text });
  await session.close();
  return { outcome, runs, events };
}

describe('a repair', () => {
  test('is checked like any text, runs, and is recorded', async () => {
    const requests: RepairRequest[] = [];
    const { outcome, runs, events } = await repaired((request) => {
      requests.push(request);
      return '{"n":1}';
    }, '{n:1}');
    expect(outcome).toMatchObject({ reason: 'completed', repairedFrom: '{n:1}' });
    expect(runs).toEqual([{ n: 1 }]);
    expect(requests).toMatchObject([
      {
        call: { id: 'c1', arguments: '{n:1}' },
        refusal: { reason: 'arguments_malformed' },
        definition: { name: 't' },
        context: 'who',
      },
    ]);
    expect(events.find(({ kind }) => kind === 'call-repair')).toMatchObject({
      reason: 'arguments_malformed',
      admitted: true,
    });
    expect(events.find(({ kind }) => kind === 'call-end')).toMatchObject({ repaired: true });
  });

  test.each<[string, Repair]>([
    ['is as wrong', () => '{"n":"1"}'],
    ['gives nothing', () => undefined],
    ['gives an object', () => ({ n: 1 }) as unknown as string],
    [
      'throws',
      () => {
        throw new Error('x');
      },
    ],
    ['rejects', () => Promise.reject(new Error('x'))],
  ])('that %s lets the refusal stand', async (_name, repair) => {
    const { outcome, runs } = await repaired(repair, '{n:1}');
    expect(outcome).toMatchObject({ kind: 'invalid', reason: 'arguments_malformed' });
    expect(outcome).not.toHaveProperty('repairedFrom');
    expect(runs).toEqual([]);
  });

  test('is asked once at most', async () => {
    let asked = 0;
    await repaired(() => {
      asked += 1;
      return '{n:1}';
    }, '{n:1}');
    expect(asked).toBe(1);
  });

  test.each(['write', 'external', 'nuclear'])('is never asked for a tool of class %s', async (word) => {
    let asked = 0;
    const { outcome, runs } = await repaired(
      () => {
        asked += 1;
        return '{"n":1}';
      },
      '{n:1}',
      { class: word as ExecutionClass },
    );
    expect([outcome.reason, asked, runs]).toEqual(['arguments_malformed', 0, []]);
  });

  test.each([
    [' '.repeat(1_048_577), 'arguments_too_large'],
    ['['.repeat(65), 'arguments_too_deep'],
  ])('%# is not asked about a text that breaks a bound', async (text, reason) => {
    let asked = 0;
    const { outcome } = await repaired(() => {
      asked += 1;
      return '{"n":1}';
    }, text);
    expect([outcome.reason, asked]).toEqual([reason, 0]);
  });

  test('that never answers lets the refusal stand after a while', async () => {
    const clock = createFakeClock();
    const running = repaired(() => new Promise(() => {}), '{n:1}', { class: 'read' }, { clock });
    await clock.advance(0);
    await clock.advance(60_000);
    expect((await running).outcome.reason).toBe('arguments_malformed');
  });

  test.each(['its session', 'its caller'])(
    'is not waited for by a call that %s cancels, and starts nothing later',
    async (who) => {
      let mend: (text: string) => void = () => undefined;
      const runs: unknown[] = [];
      const tool = defineTool({
        name: 't',
        description: '',
        profile: { class: 'read' },
        input: { type: 'object', properties: { n: { type: 'integer' } } },
        execute: (input) => runs.push(input),
      });
      const gate = createGate({
        tools: [tool],
        repair: () =>
          new Promise<string>((resolve) => {
            mend = resolve;
          }),
      });
      const controller = new AbortController();
      const { signal } = controller;
      const session = await gate.open(who === 'its session' ? { context: 0, signal } : { context: 0 });
      const call = { id: 'c1', name: 't', arguments: '{"n":"1"}' };
      const outcome = session.execute(call, who === 'its caller' ? { signal } : {});
      controller.abort();
      expect((await outcome).reason).toBe('not_started');
      mend('{"n":1}');
      await session.close();
      expect(runs).toEqual([]);
    },
  );
});
