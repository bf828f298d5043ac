import type { ModelEvent } from '@toolgate/model';

/** What of an answer has gone out already. */
export interface Published {
  /** Whether its start has. */
  readonly started: boolean;
  /** The next free block. */
  readonly nextIndex: number;
}

/** A text as an ordinary block of the answer, with the start of the answer where that is still missing. */
export function publishText(text: string, { started, nextIndex: index }: Published): readonly ModelEvent[] {
  const events: ModelEvent[] = [
    ...(started ? [] : [{ kind: 'response-start' as const, id: null, model: null }]),
    { kind: 'text-start', index },
    { kind: 'text-delta', index, text },
    { kind: 'text-end', index },
  ];
  return Object.freeze(events.map((event) => Object.freeze(event)));
}
