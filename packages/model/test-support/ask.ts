import type { ModelCall } from '../src/call/model-call.ts';
import { createEventOrder } from '../src/event/event-order.ts';
import type { ModelEvent } from '../src/event/model-event.ts';
import type { Model } from '../src/model.ts';

/** A call with one question. */
export const QUESTION: ModelCall = {
  model: 'ignored',
  items: [{ kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'Ist offen?' }] }],
};

/** The events of one answer, after their order was checked. */
export async function ask(
  model: Model,
  call: ModelCall = QUESTION,
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly ModelEvent[]> {
  const order = createEventOrder();
  const events: ModelEvent[] = [];
  for await (const event of model.stream(call, { signal })) {
    order.push(event);
    events.push(event);
  }
  order.end();
  return events;
}
