import type { ModelResponse } from '../call/model-response.ts';
import type { ModelEvent } from '../event/model-event.ts';
import type { NameMap } from './name-map.ts';

/**
 * One event of the answer with the tool's own name instead of the wire's. A name that the map never gave out was made up
 * by the model; it stays as it is, for the gate to refuse.
 */
export function restoreEvent(event: ModelEvent, names: NameMap): ModelEvent {
  if (event.kind !== 'call-start' && event.kind !== 'call-end') return event;
  const name = ownName(event.name, names);
  return name === event.name ? event : { ...event, name };
}

/** A whole answer with the tools' own names, as {@link restoreEvent} does it for a stream. */
export function restoreResponse(response: ModelResponse, names: NameMap): ModelResponse {
  return {
    ...response,
    items: response.items.map((item) => {
      if (item.kind !== 'tool-call') return item;
      const name = ownName(item.name, names);
      return name === item.name ? item : { ...item, name };
    }),
  };
}

function ownName(wireName: string, names: NameMap): string {
  return names.fromWire(wireName) ?? wireName;
}
