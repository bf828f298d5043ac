import type { ModelResponse } from '../call/model-response.ts';
import type { ModelEvent } from './model-event.ts';
import { createResponseCollector } from './response-collector.ts';

/**
 * Joins the events of one answer to the response they stream.
 *
 * @returns An answer that broke off or failed has the finish `error`, see `createResponseCollector`.
 * @throws ModelError `model/stream-invalid` for events out of order.
 */
export function collectResponse(events: Iterable<ModelEvent>): ModelResponse {
  const collector = createResponseCollector();
  for (const event of events) collector.push(event);
  return collector.response();
}
