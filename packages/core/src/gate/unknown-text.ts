import { textOutput } from '../tool/make-output.ts';
import type { ToolOutput } from '../tool/tool-output.ts';
import { REASONS, type ReasonOf } from './reason.ts';

/** Reasons of unknown effects with a fixed text. */
export type UnknownReason = Exclude<ReasonOf<'unknown'>, 'call_error'>;

/** Besides them those of a handler that ran and failed: whatever it did before that stays done. */
export type DoubtfulReason = UnknownReason | 'handler_error' | 'output_invalid' | 'output_too_large';

/**
 * What a model is told of a call when nobody knows whether it took effect: the fixed text of the reason and, where there is
 * one, the tool that shows it.
 *
 * @param checkWith - Only a tool that is offered to whoever reads the text.
 */
export function unknownText(reason: UnknownReason, checkWith: string | undefined): string {
  const { text } = REASONS[reason];
  return checkWith === undefined ? text : `${text} ${checkText(checkWith)}`;
}

/** The same as an output, also for a call that failed; `undefined` where the fixed text is all. */
export function doubtfulOutput(
  reason: DoubtfulReason,
  checkWith: string | undefined,
): ToolOutput | undefined {
  return checkWith === undefined ? undefined : textOutput(`${REASONS[reason].text} ${checkText(checkWith)}`);
}

/** The sentence about a tool that shows whether a call took effect. */
export function checkText(checkWith: string): string {
  return `Check with ${checkWith} before you repeat it.`;
}
