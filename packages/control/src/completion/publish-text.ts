import type { ModelEvent } from '@toolgate/model';

/** What of an answer has gone out already. */
export interface Published {
  /** Whether its start has. */
  readonly started: boolean;
  /** The next free block. */
  readonly nextIndex: number;
  /** Whether text has gone out already, which the new one is parted from by a blank line. Default `false`. */
  readonly hasText?: boolean;
}

/** A text as an ordinary block of the answer, with the start of the answer where that is still missing. */
export function publishText(text: string, published: Published): readonly ModelEvent[] {
  const { started, nextIndex: index, hasText = false } = published;
  const events: ModelEvent[] = [
    ...(started ? [] : [{ kind: 'response-start' as const, id: null, model: null }]),
    { kind: 'text-start', index },
    { kind: 'text-delta', index, text: hasText ? `\n\n${text}` : text },
    { kind: 'text-end', index },
  ];
  return Object.freeze(events.map((event) => Object.freeze(event)));
}
