import { createAgent } from '@toolgate/agent';
import type { ToolCall } from '@toolgate/core';
import { createScriptedModel } from '@toolgate/testing';
import { context } from './run.example.ts';
import { gate } from './windows.example.ts';

const model = createScriptedModel({
  turns: [
    { calls: [{ name: 'find_window', arguments: { service: 'checkout' } }] },
    { text: 'I did not look.' },
  ],
});
const agent = createAgent({ model, gate });
const question = 'When is checkout down?';

// #region cancel
const controllers = new Map<string, AbortController>();

/** A signal of its own for each call. */
const callSignal = ({ id }: ToolCall): AbortSignal => {
  const controller = new AbortController();
  controllers.set(id, controller);
  return controller.signal;
};
/** What the stop button of one call does. */
const stop = (callId: string): void => controllers.get(callId)?.abort();

for await (const event of agent.stream(question, { context, callSignal })) {
  if (event.kind === 'tool-start') offerToStop(event.call, stop);
  if (event.kind === 'tool-end') controllers.delete(event.outcome.callId);
}
// #endregion

/** A person who stops everything. */
function offerToStop({ id }: ToolCall, stopCall: (callId: string) => void): void {
  stopCall(id);
}

const asked = model.requests.length;

export { asked };
