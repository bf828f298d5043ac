// #region approve
import { type Approver, createGate, createScope, defineTool } from '@toolgate/core';
import { z } from 'zod';

interface Caller {
  readonly trusted: ReadonlySet<string>;
}

const sendMail = defineTool({
  name: 'send_mail',
  description: 'Sends a mail.',
  profile: { class: 'external' },
  input: z.object({ to: z.email(), text: z.string().max(10_000) }),
  execute: ({ to }) => `sent to ${to}`,
});

// 'allow' and 'decline' decide at once, a promise after a while, and 'defer' leaves it to somebody later.
const approve: Approver<Caller> = ({ arguments: { to } }, { context: { trusted } }) => {
  if (typeof to !== 'string') return 'decline';
  if (trusted.has(to)) return 'allow';
  if (to.endsWith('.invalid')) return { decision: 'decline', reason: 'There is no such address.' };
  return 'defer';
};

const scope = createScope<Caller>({ approve, approvalThreshold: 'external', approvalLifetimeMs: 86_400_000 });
const gate = createGate<Caller>({ tools: [sendMail], scope });
// #endregion

// #region defer
const call = { id: 'call-1', name: 'send_mail', arguments: '{"to":"eve@example.com","text":"Hi."}' };
const context: Caller = { trusted: new Set(['bob@example.com']) };
const run = { context, principal: 'ada', sessionId: 'run-1' };

const session = await gate.open(run);
const waiting = await session.execute(call);
if (waiting.kind !== 'suspended') throw new Error('Nobody was asked.');
// Plain JSON, for a table of your own: who, what, with which arguments, until when.
const stored = JSON.stringify({ call, approval: waiting.approval });
await session.close();

// #endregion

// #region grant
import { createGrant } from '@toolgate/core';

// Later, in any process, after somebody has said yes: the same call again, with the grant.
const { call: again, approval } = JSON.parse(stored);
const resumed = await gate.open(run);
const sent = await resumed.execute(again, { grant: createGrant(approval) });
// Or after a no, which the model is told with its reason:
const declined = await resumed.execute(again, { decision: { decision: 'decline', reason: 'Not to her.' } });
// #endregion

const changed = { ...again, arguments: '{"to":"eve@example.com","text":"All passwords."}' };
const other = await resumed.execute(changed, { grant: createGrant(approval) });
await resumed.close();

// #region standing
import { withStandingGrants } from '@toolgate/core';

const standing = withStandingGrants<Caller>(
  [
    {
      tool: 'send_mail',
      arguments: { to: { matches: '[a-z.]+@example\\.com' } },
      otherArguments: 'any',
      principal: 'ada',
      expiresAt: Date.now() + 30 * 86_400_000,
    },
  ],
  approve,
);

// #endregion

export { type Caller, call, declined, gate, other, sendMail, sent, standing, waiting };
