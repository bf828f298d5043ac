import type { ModelEvent, Protocol } from '@toolgate/model';

type DeltaEvent = Extract<ModelEvent, { kind: 'text-delta' | 'refusal-delta' | 'reasoning-delta' }>;

type CallDelta = Extract<ModelEvent, { kind: 'call-delta' }>;

/** The events of an answer so far, short: neighbouring pieces of one block are one. */
export interface ReplayLog {
  add(events: readonly ModelEvent[]): void;
  /** Events that lead a new encoder to where the client is. Asked for once. */
  all(): readonly ModelEvent[];
}

type Mutable<Event> = { -readonly [Member in keyof Event]: Event[Member] };

/** Pieces that wait to become one text: joining many at once takes less memory than adding one to another. */
const MAX_PIECES = 64;

/** Protocols whose end says the texts of the answer again; encoders of others need no text that was said. */
const REPEATS_TEXT: ReadonlySet<Protocol> = new Set<Protocol>(['openai-responses']);

/** Makes an empty log for an encoder of a protocol. */
export function createReplayLog(protocol: Protocol): ReplayLog {
  return Object.freeze(new Log(REPEATS_TEXT.has(protocol)));
}

class Log implements ReplayLog {
  readonly #keepsText: boolean;
  readonly #events: ModelEvent[] = [];
  /** The last entry, a copy of ours that grows, and what is still to be added to it. */
  #growing: Mutable<DeltaEvent> | Mutable<CallDelta> | undefined = undefined;
  #pieces: string[] | undefined = undefined;

  constructor(keepsText: boolean) {
    this.#keepsText = keepsText;
  }

  all(): readonly ModelEvent[] {
    this.#settle();
    return this.#events;
  }

  add(more: readonly ModelEvent[]): void {
    const events = this.#events;
    for (const event of more) {
      if (event.kind === 'usage' && events.at(-1)?.kind === 'usage') events[events.length - 1] = event;
      else if (!this.#join(event)) this.#append(event);
    }
  }

  #join(event: ModelEvent): boolean {
    const growing = this.#growing;
    if (growing === undefined || event.kind !== growing.kind || event.index !== growing.index) return false;
    if (event.kind === 'call-delta') {
      this.#grow(event.delta);
      return true;
    }
    if (growing.kind === 'call-delta' || !sameThought(growing, event)) return false;
    if (this.#keepsText) this.#grow(event.text);
    return true;
  }

  #append(event: ModelEvent): void {
    this.#settle();
    this.#growing = event.kind === 'call-delta' || isDelta(event) ? { ...event } : undefined;
    this.#events.push(this.#growing ?? event);
  }

  #grow(piece: string): void {
    this.#pieces ??= [];
    this.#pieces.push(piece);
    if (this.#pieces.length === MAX_PIECES) this.#settle();
  }

  #settle(): void {
    const growing = this.#growing;
    if (growing === undefined || this.#pieces === undefined) return;
    const more = this.#pieces.join('');
    this.#pieces = undefined;
    if (growing.kind === 'call-delta') growing.delta += more;
    else growing.text += more;
  }
}

function isDelta(event: ModelEvent): event is DeltaEvent {
  return event.kind === 'text-delta' || event.kind === 'refusal-delta' || event.kind === 'reasoning-delta';
}

function sameThought(left: DeltaEvent, right: DeltaEvent): boolean {
  if (left.kind !== 'reasoning-delta' || right.kind !== 'reasoning-delta') return true;
  return left.summary === right.summary && (left.summaryIndex ?? 0) === (right.summaryIndex ?? 0);
}
