import { CALL_BEGUN, CALL_UNREAD, type ModelEvent, type Protocol } from '@toolgate/model';
import type { AnswerStep } from '../answer/answer-step.ts';

/** Decides whether a provider's own bytes say what the client of a controlled answer gets. */
export interface BytePassage {
  /**
   * The step for the client, with the bytes of the provider's where what is shown is all that they say.
   *
   * @param shown - What of the step, and with its end, goes to the client. It is kept.
   * @returns `undefined` where nothing goes on yet.
   */
  pass(step: AnswerStep, shown: readonly ModelEvent[]): AnswerStep | undefined;
}

/**
 * Makes the passage of one answer. Bytes that say nothing yet wait for what they belong to: it may be the control call.
 * Bytes that may say that the answer ends wait for the decision about that: most wires say it before the last event.
 * With the first difference, with the first call that bytes would tell before its name is known, and with the first bytes
 * that name the control tool, no more bytes pass: pieces without an event may say tools and instructions of a request again.
 *
 * @param wire - The provider's protocol. In streams of Gemini any piece may say the end, and no event tells it: their
 *   bytes do not pass.
 */
export function createBytePassage(wire: {
  readonly protocol: Protocol;
  readonly stream: boolean;
  /** The control tool's. */
  readonly toolName: string;
}): BytePassage {
  const toolName = Buffer.from(wire.toolName);
  let passes = wire.protocol !== 'gemini' || !wire.stream;
  let waiting: AnswerStep[] = [];
  let waitingBytes = 0;

  const join = (last: AnswerStep): AnswerStep => {
    if (waiting.length === 0) return last;
    const steps = [...waiting, last];
    waiting = [];
    waitingBytes = 0;
    const events = steps.flatMap((step) => step.events);
    return last.raw === undefined ? { events } : { events, raw: steps.flatMap(({ raw = [] }) => raw) };
  };

  return Object.freeze({
    pass(step: AnswerStep, shown: readonly ModelEvent[]) {
      const { events, raw } = step;
      passes &&= raw !== undefined && saysAll(events, shown) && !names(raw, toolName);
      if (passes && !mayEnd(events)) return join(step);
      waitingBytes += sizeOf(raw);
      if (passes && waitingBytes <= MAX_WAITING_BYTES) {
        waiting.push(step);
        return undefined;
      }
      passes = false;
      const changed = join({ events: shown });
      return changed.events.length === 0 ? undefined : changed;
    },
  });
}

/** What an answer may say without going on. */
const MAX_WAITING_BYTES = 1_048_576;

function sizeOf(raw: AnswerStep['raw']): number {
  return (raw ?? []).reduce((bytes, piece) => bytes + piece.byteLength, 0);
}

function names(raw: readonly Uint8Array[] | undefined, toolName: Buffer): boolean {
  if (raw === undefined) return false;
  // Each piece is looked at, so none is made another kind of view for that.
  for (const piece of raw) if (Buffer.prototype.indexOf.call(piece, toolName) !== -1) return true;
  return false;
}

/** Whether just these events are shown, and none of them tells of a call that is not among them. */
function saysAll(events: readonly ModelEvent[], shown: readonly ModelEvent[]): boolean {
  if (events.length !== shown.length) return false;
  for (let at = 0; at < events.length; at += 1) {
    const event = events[at];
    if (event === undefined || event !== shown[at] || hidesCall(event)) return false;
  }
  return true;
}

function hidesCall(event: ModelEvent): boolean {
  return event.kind === 'warning' && (event.code === CALL_BEGUN || event.code === CALL_UNREAD);
}

/** Kinds of events after which a wire has said everything of a block, and may have said the end with it. */
const ENDS: ReadonlySet<ModelEvent['kind']> = new Set([
  'text-end',
  'refusal-end',
  'reasoning-end',
  'call-end',
]);
/** Kinds of events that bring nothing of an answer. */
const SILENT: ReadonlySet<ModelEvent['kind']> = new Set(['response-start', 'usage', 'warning']);

/** Whether bytes with these events may say an end of the answer that is still to be decided. */
function mayEnd(events: readonly ModelEvent[]): boolean {
  let ends = false;
  let silent = true;
  for (const { kind } of events) {
    if (kind === 'response-end' || kind === 'response-error') return false;
    ends ||= ENDS.has(kind);
    silent &&= SILENT.has(kind);
  }
  return ends || silent;
}
