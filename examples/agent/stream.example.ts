import { createAgent } from '@toolgate/agent';
import { createScriptedModel } from '@toolgate/testing';
import { context } from './run.example.ts';
import { gate } from './windows.example.ts';

const model = createScriptedModel({
  turns: [
    { calls: [{ name: 'find_window', arguments: { service: 'billing' } }] },
    { text: 'You have no service of that name.' },
  ],
});
const agent = createAgent({ model, gate });
const lines: string[] = [];

// #region stream
for await (const event of agent.stream('When is billing down?', { context })) {
  if (event.kind === 'text-delta') lines.push(event.text);
  if (event.kind === 'tool-end') lines.push(`[${event.outcome.name}: ${event.outcome.reason}]`);
  if (event.kind === 'run-end') lines.push(`[${event.result.stopReason}]`);
}
// #endregion

const said = lines.join('');

export { said };
