import { CALL_BEGUN, CALL_UNREAD, type ModelEvent, RUN_BEGUN } from '@toolgate/model';
import type { AnswerStep } from './answer-step.ts';

/** What an answer opens with, kept back as long as another candidate could still answer instead. */
export interface Opening {
  /**
   * Keeps a step that says nothing of substance.
   *
   * @returns `false` where the step goes on, behind everything that was kept.
   */
  keep(step: AnswerStep): boolean;
  /** What was kept, in order. Asked for once. */
  release(): readonly AnswerStep[];
  /** Whether something of an answer was kept, and not only comments. */
  readonly begun: boolean;
}

/** OpenAI Responses says instructions and tools of the request twice before the first word. */
const MAX_BYTES = 1_048_576;
/** A longer opening is shown: it is signs of life, by which a client may judge for itself. */
const MAX_STEPS = 1_024;

/** Makes an opening of which nothing has come. */
export function createOpening(): Opening {
  const kept: AnswerStep[] = [];
  let bytes = 0;
  let begun = false;

  return {
    keep(step: AnswerStep) {
      if (kept.length === MAX_STEPS || step.events.some(isSubstance)) return false;
      for (const piece of step.raw ?? []) bytes += piece.byteLength;
      if (bytes > MAX_BYTES) return false;
      begun ||= step.events.length > 0;
      kept.push(step);
      return true;
    },
    release: () => kept,
    get begun() {
      return begun;
    },
  };
}

/** Warnings of calls that are still to be told, and of tools that run at the provider and must not run again at another. */
const BEGINNINGS: ReadonlySet<string> = new Set([CALL_BEGUN, CALL_UNREAD, RUN_BEGUN]);

/** Whether an event is more than what answers open with. */
function isSubstance(event: ModelEvent): boolean {
  if (event.kind === 'warning') return BEGINNINGS.has(event.code);
  return event.kind !== 'response-start' && event.kind !== 'usage';
}
