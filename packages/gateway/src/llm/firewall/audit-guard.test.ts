import { expect, test } from 'vitest';
import { callsOf, exchange, textOf } from '../../../test-support/ask-raw.ts';
import { turnEvents } from '../../../test-support/wire-samples.ts';
import type { AuditEntry, AuditLog } from '../../ports/audit-log.ts';
import { createAuditGuard } from './audit-guard.ts';

const ENTRY: AuditEntry = { kind: 'call-allow', actor: 'ana', data: {} };

/** An audit that works or not, as a test says. */
function brokenAudit(): { works: boolean; readonly audit: AuditLog } {
  const state = {
    works: true,
    audit: {
      append: async () => {
        if (!state.works) throw new Error('disk full');
        return undefined as never;
      },
    } as unknown as AuditLog,
  };
  return state;
}

test('an audit that fails makes every later entry wait, until one is written again', async () => {
  const state = brokenAudit();
  const defects: unknown[] = [];
  const guard = createAuditGuard(state.audit, (error) => defects.push(error));
  expect(guard.note(ENTRY)).toBeUndefined();
  state.works = false;
  expect(await guard.write(ENTRY)).toBe(false);
  expect(guard.healthy).toBe(false);
  expect(await guard.note(ENTRY)).toBe(false);
  state.works = true;
  expect(await guard.note(ENTRY)).toBe(true);
  expect(guard.note(ENTRY)).toBeUndefined();
  expect(defects).toHaveLength(2);
});

test('a call is not released while the audit cannot be written', async () => {
  const call = { id: 'c1', arguments: '{"path":"a"}' };
  const turns = [turnEvents([call])];
  const body = JSON.stringify({
    model: 'm',
    messages: [{ role: 'user', content: 'hi' }],
    tools: [{ type: 'function', function: { name: 'find', parameters: { type: 'object' } } }],
  });
  // The first call finds out that the audit fails; the second one is kept back.
  const setup = { config: { audit: { allowedCalls: true } } };
  const asked = { surface: 'openai-chat', backend: 'openai-chat', stream: false, turns, setup } as const;
  await exchange({ ...asked, bodies: [body] }, async ({ gateway, response }) => {
    expect(callsOf(response)).toHaveLength(1);
    await gateway.stores.audit.close();
    const { post } = await import('../../../test-support/post.ts');
    const { readAnswer } = await import('../../../test-support/ask-raw.ts');
    const ask = async () =>
      readAnswer('openai-chat', false, (await post(`${gateway.url}/v1/chat/completions`, body)).body);
    await ask();
    const last = await ask();
    expect(callsOf(last)).toEqual([]);
    expect(textOf(last)).toContain('(not_started)');
  });
});
