import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../../testing/src/clock/fake-clock.ts';
import { createScope } from '../policy/scope.ts';
import type { Authorization, Authorizer } from '../tool/authorizer.ts';
import { defineTool } from '../tool/define-tool.ts';
import { guard } from '../tool/guard.ts';
import { createGate } from './create-gate.ts';
import type { GateConfig } from './gate-config.ts';

/** A gate with one guarded tool that counts its runs. */
function guarded(authorizer: Authorizer, config: Partial<GateConfig> = {}) {
  const runs: unknown[] = [];
  const tool = defineTool({
    name: 'pay',
    description: '',
    input: { type: 'object', properties: { amount: { type: 'integer' } }, required: ['amount'] },
    profile: { class: 'read' },
    execute: (input) => {
      runs.push(input);
      return 'paid';
    },
  });
  return { runs, gate: createGate({ tools: [guard({ tool, authorizer })], ...config }) };
}

const pay = (id = 'c1', text = '{"amount":1}') => ({ id, name: 'pay', arguments: text });

describe('an authorizer', () => {
  test('that says yes is asked once for a call that does not wait', async () => {
    const asked: Authorization[] = [];
    const { gate, runs } = guarded((authorization) => {
      asked.push(authorization);
      return true;
    });
    const session = await gate.open({ context: 'who' });
    expect((await session.execute(pay())).reason).toBe('completed');
    expect(runs).toEqual([{ amount: 1 }]);
    expect(asked).toMatchObject([{ callId: 'c1', context: 'who', arguments: { amount: 1 } }]);
    await session.close();
  });

  test('that says no refuses this call only', async () => {
    const { gate, runs } = guarded(({ callId }) => callId !== 'c1');
    const session = await gate.open();
    const outcomes = await session.executeAll([pay('c1'), pay('c2')]);
    expect(outcomes.map(({ reason }) => reason)).toEqual(['not_authorized', 'completed']);
    expect(runs.length).toBe(1);
    await session.close();
  });

  test('is not asked about arguments that the contract refuses', async () => {
    let asked = 0;
    const { gate } = guarded(() => {
      asked += 1;
      return true;
    });
    const session = await gate.open();
    expect((await session.execute(pay('c1', '{"amount":"1"}'))).reason).toBe('arguments_rejected');
    expect(asked).toBe(0);
    await session.close();
  });

  test('cannot change what runs', async () => {
    const { gate, runs } = guarded((authorization) => {
      Reflect.set(authorization.arguments, 'amount', 1_000_000);
      return true;
    });
    const session = await gate.open();
    await session.execute(pay());
    expect(runs).toEqual([{ amount: 1 }]);
    await session.close();
  });

  test.each<[string, Authorizer]>([
    [
      'throws',
      () => {
        throw new Error('policy file has a syntax error');
      },
    ],
    ['rejects', () => Promise.reject(new Error('policy file has a syntax error'))],
    ['answers "yes"', () => 'yes' as unknown as boolean],
    ['answers 1', () => 1 as unknown as boolean],
    ['answers nothing', () => undefined as unknown as boolean],
    ['answers a promise of undefined', () => Promise.resolve(undefined as unknown as boolean)],
  ])('that %s could not decide: nothing runs, and the run ends', async (_name, authorizer) => {
    const { gate, runs } = guarded(authorizer);
    const session = await gate.open();
    await expect(session.execute(pay())).rejects.toThrow(
      expect.objectContaining({
        code: 'gate/authorization',
        callId: 'c1',
        message: expect.not.stringContaining('syntax'),
      }),
    );
    expect(runs).toEqual([]);
    await session.close();
  });

  test('keeps what it threw as the cause of the error', async () => {
    const cause = new Error('policy file has a syntax error');
    const { gate } = guarded(() => Promise.reject(cause));
    const session = await gate.open();
    await expect(session.execute(pay())).rejects.toThrow(expect.objectContaining({ cause }));
    await session.close();
  });

  test('is asked again after the call waited for its approval', async () => {
    let permitted = true;
    let asked = 0;
    const scope = createScope({
      approve: async () => {
        permitted = false;
        return 'allow' as const;
      },
    });
    const { gate, runs } = guarded(
      () => {
        asked += 1;
        return permitted;
      },
      { scope },
    );
    const session = await gate.open();
    expect((await session.execute(pay())).reason).toBe('not_authorized');
    expect([asked, runs]).toEqual([2, []]);
    await session.close();
  });

  test('that never answers keeps nobody for ever', async () => {
    const clock = createFakeClock();
    const { gate, runs } = guarded(() => new Promise<boolean>(() => {}), { clock });
    const session = await gate.open();
    const refused = expect(session.execute(pay())).rejects.toThrow(
      expect.objectContaining({ code: 'gate/authorization' }),
    );
    await clock.advance(60_000);
    await refused;
    expect(runs).toEqual([]);
    await session.close();
    expect(clock.pending).toBe(0);
  });

  test('whose question is cancelled leaves a call that was not started', async () => {
    const controller = new AbortController();
    const { gate, runs } = guarded(
      ({ signal }) =>
        new Promise<boolean>((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
          controller.abort(new Error('stop'));
        }),
    );
    const session = await gate.open({ context: 0, signal: controller.signal });
    expect((await session.execute(pay())).reason).toBe('not_started');
    expect(runs).toEqual([]);
    await session.close();
  });
});
