import { expect, test } from 'vitest';
import { createFakeClock } from '../../../testing/src/clock/fake-clock.ts';
import type { ApprovalDecision } from '../policy/approval.ts';
import { createScope } from '../policy/scope.ts';
import { defineTool } from '../tool/define-tool.ts';
import type { ExecuteOptions } from './call-decision.ts';
import { createGate } from './create-gate.ts';

const pay = defineTool({
  name: 'pay',
  description: 'Pays.',
  profile: { class: 'write' },
  input: { type: 'object' } as const,
  execute: () => 'paid',
});
const call = { id: 'c', name: 'pay', arguments: '{}' };
type Answer = ApprovalDecision | Promise<ApprovalDecision>;

/** What a caller is told while a call is approved in this way, and how the call ends. */
async function asked(approve: () => Answer, options: Omit<ExecuteOptions, 'asking'> = {}) {
  const told: unknown[] = [];
  const clock = createFakeClock();
  const gate = createGate({ tools: [pay], scope: createScope({ approve, approvalLifetimeMs: 500 }), clock });
  const session = await gate.open({ context: {} });
  const outcome = session.execute(call, { ...options, asking: (now) => told.push(now) });
  await clock.advance(0);
  await clock.advance(1_000);
  const { reason } = await outcome;
  await session.close();
  return [reason, told];
}

test.each<[string, () => Answer, unknown]>([
  ['answers later', async () => 'allow' as const, ['completed', [true, false]]],
  ['says no later', async () => 'decline' as const, ['approval_declined', [true, false]]],
  ['leaves it to somebody', async () => 'defer' as const, ['approval_pending', [true, false]]],
  ['answers at once', () => 'allow', ['completed', []]],
  ['never answers', () => new Promise(() => undefined), ['approval_expired', [true]]],
])('whoever makes a call is told while an approver is waited for that %s', async (_, approve, expected) => {
  expect(await asked(approve)).toEqual(expected);
});

test('what the listener throws changes nothing, nor does what it promises', async () => {
  const gate = createGate({ tools: [pay], scope: createScope({ approve: async () => 'allow' as const }) });
  const session = await gate.open({ context: {} });
  const asking = (): never => {
    throw new Error('mine');
  };
  const late = (() => Promise.reject(new Error('mine'))) as () => unknown as () => undefined;
  expect((await session.execute(call, { asking })).reason).toBe('completed');
  expect((await session.execute(call, { asking: late })).reason).toBe('completed');
  const wrong = { asking: true } as unknown as ExecuteOptions;
  await expect(session.execute(call, wrong)).rejects.toMatchObject({ code: 'gate/options-invalid' });
});
