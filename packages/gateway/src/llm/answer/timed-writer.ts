import type { ModelEvent } from '@toolgate/model';
import type { AnswerStep } from './answer-step.ts';
import type { AnswerWriter } from './answer-writer.ts';

/** Seconds since the epoch that nobody means: what is as large counts something smaller than seconds. */
const NO_SECONDS = 100_000_000_000;

/**
 * A writer of answers whose wire says when they were made, in seconds. Where the provider says no time, an answer has the
 * one at which it came; where it is written anew in any case, milliseconds become seconds.
 *
 * @param raw - Whether the provider's own bytes may go out: what is written behind them has the time that they say.
 * @param now - Milliseconds since the epoch.
 */
export function withTime(writer: AnswerWriter, raw: boolean, now: () => number): AnswerWriter {
  let isTimed = false;
  return {
    emit(step: AnswerStep) {
      if (isTimed || !step.events.some(isStart)) return writer.emit(step);
      isTimed = true;
      writer.emit({ ...step, events: step.events.map((event) => timed(event, raw, now)) });
    },
    end: () => writer.end(),
    encodeFromHere: () => writer.encodeFromHere(),
    losses: () => writer.losses(),
  };
}

const isStart = ({ kind }: ModelEvent): boolean => kind === 'response-start';

function timed(event: ModelEvent, raw: boolean, now: () => number): ModelEvent {
  if (event.kind !== 'response-start') return event;
  const said = event.createdAt ?? 0;
  if (raw && said > 0) return event;
  return { ...event, createdAt: toSeconds(said > 0 ? said : now()) };
}

function toSeconds(time: number): number {
  let seconds = time;
  while (seconds >= NO_SECONDS) seconds /= 1_000;
  return Math.floor(seconds);
}
