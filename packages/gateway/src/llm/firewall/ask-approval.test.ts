import { defineContract } from '@toolgate/core';
import { expect, test } from 'vitest';
import type { ApprovalStore } from '../../ports/approval-store.ts';
import type { Principal } from '../../ports/principal.ts';
import { type ApprovalNeed, askApproval } from './ask-approval.ts';
import type { AdmittedCall } from './call-account.ts';
import { createFirewallPolicy } from './firewall-policy.ts';

const contract = defineContract({ name: 'pay', description: '', inputSchema: { type: 'object' } });
const prepared = contract.prepare({ id: 'c1', name: 'pay', arguments: '{}' });
const principal = {
  id: 'ana',
  keyId: 'k1',
  toolsDefault: 'allow',
  routes: 'all',
  scope: { judge: () => 'permitted' },
} as unknown as Principal;

test('a yes is not used up for a client that went away while its key was looked up', async () => {
  if (!prepared.ok) throw prepared.error;
  const gone = new AbortController();
  let consumed = 0;
  const approvals = {
    findSame: async () => ({ id: 'a', status: 'approved' }),
    consume: async () => {
      consumed += 1;
      return true;
    },
  } as unknown as ApprovalStore;
  const need: ApprovalNeed = {
    admitted: { call: { name: 'pay' }, contract, invocation: prepared.invocation } as AdmittedCall,
    caller: { principal, requestId: 'r1', route: 'm' },
    lifetimeMs: 1_000,
    present: async () => {
      gone.abort(new Error('gone'));
      return principal;
    },
    rules: () => createFirewallPolicy(undefined, { lifetimeMs: 1_000, passthrough: false }),
    signal: gone.signal,
  };
  const desk = { approvals, newId: () => 'b', now: () => 0 };
  await expect(askApproval(need, desk)).rejects.toThrow('gone');
  expect(consumed).toBe(0);
  const here = { ...need, present: async () => principal, signal: new AbortController().signal };
  expect(await askApproval(here, desk)).toMatchObject({ kind: 'approved', id: 'a' });
  expect(consumed).toBe(1);
});
