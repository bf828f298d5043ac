import type { ModelEvent } from '@toolgate/model';

type DeltaEvent = Extract<ModelEvent, { kind: 'text-delta' | 'refusal-delta' | 'reasoning-delta' }>;

type CallDelta = Extract<ModelEvent, { kind: 'call-delta' }>;

/** The events of an answer so far, short: neighbouring pieces of one block are one. */
export interface ReplayLog {
  add(events: readonly ModelEvent[]): void;
  /** Events that lead a new encoder to where the client is. */
  readonly events: readonly ModelEvent[];
}

type Mutable<Event> = { -readonly [Member in keyof Event]: Event[Member] };

/** Makes an empty log. */
export function createReplayLog(): ReplayLog {
  const events: ModelEvent[] = [];
  /** The last entry, a copy of ours that grows. */
  let growing: Mutable<DeltaEvent> | Mutable<CallDelta> | undefined;

  const join = (event: ModelEvent): boolean => {
    if (growing === undefined || event.kind !== growing.kind || event.index !== growing.index) return false;
    if (event.kind === 'call-delta') {
      if (growing.kind === 'call-delta') growing.delta += event.delta;
      return true;
    }
    if (growing.kind === 'call-delta' || !sameThought(growing, event)) return false;
    growing.text += event.text;
    return true;
  };
  const append = (event: ModelEvent): void => {
    growing = event.kind === 'call-delta' || isDelta(event) ? { ...event } : undefined;
    events.push(growing ?? event);
  };

  return Object.freeze({
    events,
    add(more: readonly ModelEvent[]) {
      for (const event of more) {
        if (event.kind === 'usage' && events.at(-1)?.kind === 'usage') events[events.length - 1] = event;
        else if (!join(event)) append(event);
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
