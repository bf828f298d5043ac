import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../json/json-value.ts';
import type { ApprovalDecision } from '../policy/approval.ts';
import { createGrant } from '../policy/approval-grant.ts';
import { createScope } from '../policy/scope.ts';
import { defineTool } from '../tool/define-tool.ts';
import { ToolError } from '../tool/tool-error.ts';
import { createGate } from './create-gate.ts';
import type { GateConfig } from './gate-config.ts';
import type { Outcome } from './outcome.ts';
import { createRedactor } from './redactor.ts';

const call = { id: 'c', name: 'send', arguments: '{"to":"alice"}' };

/** A session whose reviewer answers like this, with a tool that may fail, hang, and change what it is given. */
function reviewed(answer: ApprovalDecision, config: Partial<GateConfig> = {}) {
  const properties = { to: { type: 'string' }, copy: { type: 'boolean', default: false } } as const;
  const send = defineTool({
    name: 'send',
    description: 'Sends.',
    profile: { class: 'external', timeoutMs: 20 },
    input: { type: 'object', properties, required: ['to'] } as const,
    execute: async (input) => {
      const { to } = input;
      if (to === 'nobody') throw new ToolError('Nobody is there.');
      if (to === 'slow') await new Promise(() => undefined);
      (input as { to: string }).to = 'changed by the handler';
      return 'sent';
    },
  });
  const gate = createGate({ tools: [send], scope: createScope({ approve: () => answer }), ...config });
  return gate.open({ context: {} });
}

const edit = (args: JsonObject): ApprovalDecision => ({ decision: 'allow', arguments: args });
async function outcomeOf(answer: ApprovalDecision, config?: Partial<GateConfig>): Promise<Outcome> {
  return (await reviewed(answer, config)).execute(call);
}

describe('an outcome after an edit', () => {
  test.each([
    ['completes', 'bob', 'completed'],
    ['fails', 'nobody', 'tool_error'],
    ['does not end in time', 'slow', 'deadline_exceeded'],
  ])('says what the call ran with when it %s, defaults included', async (_, to, reason) => {
    expect(await outcomeOf(edit({ to }))).toMatchObject({
      reason,
      edited: true,
      ranWith: `{"to":"${to}","copy":false}`,
    });
  });

  test.each<[string, ApprovalDecision]>([
    ['was not edited', 'allow'],
    ['was edited to what the contract refuses', edit({ to: 5 })],
    ['was declined', 'decline'],
  ])('says nothing of that when the call %s', async (_, answer) => {
    expect(await outcomeOf(answer)).not.toHaveProperty('ranWith');
  });

  test('says it for a yes that came later, too', async () => {
    const session = await reviewed('defer');
    const waiting = await session.execute(call);
    if (waiting.kind !== 'suspended') throw new Error('It waits.');
    const grant = createGrant(waiting.approval, { arguments: { to: 'bob' } });
    expect(await session.execute(call, { grant })).toMatchObject({ ranWith: '{"to":"bob","copy":false}' });
  });

  test('shows no secret that a reviewer put in, and nothing at all where that cannot be known', async () => {
    const secrets = ['correct horse battery'];
    const redact = createRedactor({ secrets });
    const { ranWith } = await outcomeOf(edit({ to: 'correct horse battery' }), { redact });
    expect(ranWith).toMatch(/^\{"to":"\[.*\]","copy":false\}$/);
    const broken = (): never => {
      throw new Error('no');
    };
    expect(await outcomeOf(edit({ to: 'bob' }), { redact: broken })).not.toHaveProperty('ranWith');
  });

  test('is bounded', async () => {
    const { ranWith = '' } = await outcomeOf(edit({ to: 'x'.repeat(100_000) }));
    expect(ranWith.length).toBeLessThanOrEqual(2_000);
    expect(ranWith).toContain('bytes left out');
  });
});
