import type { ModelEvent } from '@toolgate/model';
import type { AnswerWriter } from './answer-writer.ts';

/**
 * A writer of a translated answer whose wire has one text for all that a model says: each message of the provider begins a
 * paragraph there. Parts of one message stay together, as a sentence may go on from one to the next.
 */
export function withParagraphs(writer: AnswerWriter): AnswerWriter {
  let message: string | undefined;
  let isNew = false;
  /** Whether the text ends where another one can begin. */
  let isSpaced = true;

  const parted = (event: ModelEvent): ModelEvent => {
    if (event.kind === 'text-start' && event.itemId !== undefined) {
      isNew ||= message !== undefined && message !== event.itemId;
      message = event.itemId;
    }
    if (event.kind !== 'text-delta' || event.text === '') return event;
    const { text } = event;
    const sticks = isNew && !isSpaced && /^\S/.test(text);
    isNew = false;
    isSpaced = /\s/.test(text.slice(-1));
    return sticks ? { ...event, text: `\n\n${text}` } : event;
  };
  return {
    emit: (step) => writer.emit({ ...step, events: step.events.map(parted) }),
    end: () => writer.end(),
    encodeFromHere: () => writer.encodeFromHere(),
    losses: () => writer.losses(),
  };
}
