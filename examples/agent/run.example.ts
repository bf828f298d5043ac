// #region run
import { createAgent } from '@toolgate/agent';
import { createScriptedModel } from '@toolgate/testing';
import { type Caller, gate } from './windows.example.ts';

// A model that follows a script; createOpenaiChatModel and its like in @toolgate/model reach a real one.
const model = createScriptedModel({
  turns: [
    { text: 'Let me look.', calls: [{ name: 'find_window', arguments: { service: 'checkout' } }] },
    {
      calls: [{ name: 'move_window', arguments: { service: 'checkout', startsAt: '2026-12-02T02:00:00Z' } }],
    },
    { text: 'Checkout is taken down on 2 December at 2:00 UTC.' },
  ],
});

const agent = createAgent({ model, gate, stateKey: 'at least 32 bytes, from your secrets' });
const context: Caller = {
  user: 'ada',
  windows: new Map([['checkout', { owner: 'ada', startsAt: '2026-12-01T02:00:00Z' }]]),
};

const waiting = await agent.run('Move the window of checkout by a day.', { context, principal: 'ada' });
// waiting.stopReason is 'suspended'; waiting.pending says who wants to call what, with which arguments.
const stored = JSON.stringify(waiting.state);
// #endregion

// #region resume
// Later, perhaps in another process: the state is plain JSON, signed, and cannot be changed unnoticed.
const decisions = waiting.pending.map(({ id }) => ({ approvalId: id, decision: 'allow' }) as const);
const done = await agent.resume(JSON.parse(stored), decisions, { context, principal: 'ada' });

// #endregion

export { context, done, waiting };
