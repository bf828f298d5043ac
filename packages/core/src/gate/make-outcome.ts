import { emptyOutput, textOutput } from '../tool/make-output.ts';
import type { ToolCall } from '../tool/tool-call.ts';
import type { ToolOutput } from '../tool/tool-output.ts';
import type { CompletedOutcome, SettledOutcome, Truncation } from './outcome.ts';
import { type Reason, reasonEntry, type UnavailableDetail } from './reason.ts';

/** A reason of an outcome that is neither a result nor a suspension. */
export type UnsuccessfulReason = Exclude<Reason, 'completed' | 'completed_truncated' | 'approval_pending'>;

/** What an outcome knows beyond its reason. */
export interface OutcomeExtras {
  readonly cause?: unknown;
  readonly detail?: UnavailableDetail;
  readonly edited?: boolean;
  readonly ranWith?: string | undefined;
}

/**
 * The outcome of a call that gave no result.
 *
 * @param output - What the model is told; the fixed text of the reason where it has one and nothing is given.
 */
export function unsuccessful(
  call: Pick<ToolCall, 'id' | 'name'>,
  reason: UnsuccessfulReason,
  output: ToolOutput = fixedOutput(reason),
  extras: OutcomeExtras = {},
): SettledOutcome {
  const outcome = {
    kind: reasonEntry(reason).kind,
    reason,
    callId: call.id,
    name: call.name,
    output,
    ...(extras.edited === true ? { edited: true } : {}),
    ...(extras.ranWith === undefined ? {} : { ranWith: extras.ranWith }),
  };
  hide(outcome, 'cause', extras.cause);
  hide(outcome, 'detail', extras.detail);
  // Each reason has one kind, so the pair is one of the union.
  return Object.freeze(outcome) as SettledOutcome;
}

/** What was done to a call and its result on the way. */
export interface CompletionNotes {
  readonly edited: boolean;
  readonly repairedFrom: string | undefined;
  readonly mended: number;
  readonly ranWith?: string | undefined;
}

/** The outcome of a call whose result may be used. */
export function completed(
  call: Pick<ToolCall, 'id' | 'name'>,
  output: ToolOutput,
  filled: readonly string[],
  notes: CompletionNotes,
  truncated?: Truncation,
): CompletedOutcome {
  const { id: callId, name } = call;
  const { edited, ranWith, repairedFrom, mended } = notes;
  if (truncated !== undefined || edited || repairedFrom !== undefined || mended > 0) {
    return Object.freeze({
      kind: 'completed',
      reason: truncated === undefined ? 'completed' : 'completed_truncated',
      callId,
      name,
      output,
      ...(truncated === undefined ? {} : { truncated }),
      ...(filled.length === 0 ? {} : { filled }),
      ...(repairedFrom === undefined ? {} : { repairedFrom }),
      ...(edited ? { edited: true as const } : {}),
      ...(ranWith === undefined ? {} : { ranWith }),
      ...(mended === 0 ? {} : { mended }),
    });
  }
  // What most calls come to, without a copy of anything.
  if (filled.length === 0)
    return Object.freeze({ kind: 'completed', reason: 'completed', callId, name, output });
  return Object.freeze({ kind: 'completed', reason: 'completed', callId, name, output, filled });
}

/** The fixed text of a reason as an output; without content for a reason that has none. */
function fixedOutput(reason: Reason): ToolOutput {
  const { text } = reasonEntry(reason);
  return text === undefined ? emptyOutput() : textOutput(text);
}

/** Encoding, logging and spreading an outcome must not carry what is for diagnosis only. */
function hide(outcome: object, name: 'cause' | 'detail', value: unknown): void {
  if (value !== undefined) Object.defineProperty(outcome, name, { value, enumerable: false });
}
