// #region gate
import {
  type ApprovalRequest,
  createGate,
  createGrant,
  createScope,
  defineTool,
  type GateSession,
  type SettledOutcome,
  writeJson,
} from '@toolgate/core';
import { z } from 'zod';

const add = defineTool({
  name: 'add',
  description: 'Adds two integers.',
  profile: { class: 'read' },
  input: z.object({ a: z.int(), b: z.int() }),
  execute: ({ a, b }) => a + b,
});

const pay = defineTool({
  name: 'pay',
  description: 'Pays somebody.',
  profile: { class: 'external' },
  input: z.object({ to: z.string().max(64), cents: z.int().min(1) }),
  execute: ({ to, cents }) => `paid ${cents} to ${to}`,
});

const scope = createScope({ approve: () => 'defer', approvalThreshold: 'external' });
const gate = createGate({ tools: [add, pay], scope });

// #endregion

// #region decide
/** Runs a call that waited, or declines it: the result that the conversation waits for. */
async function decide(
  session: GateSession,
  approval: ApprovalRequest,
  verdict: 'allow' | 'decline',
): Promise<SettledOutcome> {
  // The same call again: what was asked about says all that it takes.
  const call = { id: approval.callId, name: approval.tool, arguments: writeJson(approval.arguments) };
  const options = verdict === 'allow' ? { grant: createGrant(approval) } : { decision: verdict };
  const outcome = await session.execute(call, options);
  if (outcome.kind === 'suspended') throw new Error('Somebody else has to decide, too.');
  return outcome;
}

// #endregion

export { decide, gate };
