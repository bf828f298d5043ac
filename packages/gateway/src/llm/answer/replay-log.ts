import type { ModelEvent } from '@toolgate/model';

type DeltaEvent = Extract<ModelEvent, { kind: 'text-delta' | 'refusal-delta' | 'reasoning-delta' }>;

/** The events of an answer so far, short: neighbouring pieces of one block are one. */
export interface ReplayLog {
  add(events: readonly ModelEvent[]): void;
  /** Events that lead a new encoder to where the client is. */
  readonly events: readonly ModelEvent[];
}

/** Makes an empty log. */
export function createReplayLog(): ReplayLog {
  const events: ModelEvent[] = [];

  const join = (event: ModelEvent): boolean => {
    const last = events.at(-1);
    if (last === undefined) return false;
    if (event.kind === 'call-delta' && last.kind === 'call-delta' && last.index === event.index) {
      events[events.length - 1] = { ...last, delta: last.delta + event.delta };
      return true;
    }
    if (!isDelta(event) || !isDelta(last) || last.kind !== event.kind || last.index !== event.index)
      return false;
    if (event.kind === 'reasoning-delta' && !sameThought(last, event)) return false;
    events[events.length - 1] = { ...last, text: last.text + event.text };
    return true;
  };

  return Object.freeze({
    events,
    add(more: readonly ModelEvent[]) {
      for (const event of more) {
        if (event.kind === 'usage' && events.at(-1)?.kind === 'usage') events[events.length - 1] = event;
        else if (!join(event)) events.push(event);
      }
    },
  });
}

function isDelta(event: ModelEvent): event is DeltaEvent {
  return event.kind === 'text-delta' || event.kind === 'refusal-delta' || event.kind === 'reasoning-delta';
}

function sameThought(left: DeltaEvent, right: DeltaEvent): boolean {
  if (left.kind !== 'reasoning-delta' || right.kind !== 'reasoning-delta') return true;
  return left.summary === right.summary && (left.summaryIndex ?? 0) === (right.summaryIndex ?? 0);
}
