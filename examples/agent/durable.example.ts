import { createScriptedModel } from '@toolgate/testing';
import { context } from './run.example.ts';
import { gate } from './windows.example.ts';

const model = createScriptedModel({
  turns: [
    {
      calls: [{ name: 'move_window', arguments: { service: 'checkout', startsAt: '2026-12-03T02:00:00Z' } }],
    },
    { text: 'Moved.' },
  ],
});
const callers = new Map([['ada', context]]);

// #region durable
import { createDurableAgent, createMemoryEngine } from '@toolgate/agent';

const agent = createDurableAgent(
  { model, gate },
  {
    // For runs that outlive the process: (parts) => createSqliteEngine({ ...parts, database: 'runs.db' }).
    engine: createMemoryEngine,
    // Asked wherever a run goes on. A throw ends the run: it could not act for anybody.
    contextOf: ({ principal = '' }) => {
      const caller = callers.get(principal);
      if (caller === undefined) throw new Error('no such caller');
      return caller;
    },
  },
);

await agent.start('move-checkout', 'Move the window of checkout by a day.', { principal: 'ada' });
for await (const event of agent.events('move-checkout')) {
  if (event.kind !== 'approval-request') continue;
  // Usually a person, at a list of agent.pending(), at any time and on any machine with the journal.
  await agent.decide('move-checkout', { approvalId: event.approval.id, decision: 'allow' });
}
const { result } = await agent.finished('move-checkout');
// #endregion

await agent.close();

export { result };
