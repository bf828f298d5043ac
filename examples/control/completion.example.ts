import { type AttemptRecord, completionTool, createProviderSlot, runControlled } from '@toolgate/control';
import { collectResponse, type ModelCall, type ModelEvent } from '@toolgate/model';
import { createScriptedModel } from '@toolgate/testing';

const model = createScriptedModel({
  turns: [
    { text: 'I will look at the windows.' },
    {
      calls: [
        {
          name: 'attempt_completion',
          arguments: { result: 'Checkout is taken down on 2 December.' },
        },
      ],
    },
  ],
});
const call: ModelCall = {
  model: 'scripted',
  items: [{ kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'When is checkout down?' }] }],
};
const { signal } = new AbortController();
const records: AttemptRecord[] = [];
const events: ModelEvent[] = [];

// #region run
// One provider per configuration; a bad next one leaves the last good one in place.
const slot = createProviderSlot([completionTool()]);

const run = runControlled({
  call,
  provider: slot.current,
  capabilities: model.capabilities,
  signal,
  // The call that goes to the backend has the tool; the events that come out have not.
  open: (backendCall) => model.stream(backendCall, { signal }),
  observe: (record) => records.push(record),
});
for await (const event of run) events.push(event);
// #endregion

const response = collectResponse(events);
const { requests } = model;

export { records, requests, response };
