import { REASONS, type ReasonOf } from './reason.ts';

/** Reasons of unknown effects with a fixed text. */
export type UnknownReason = Exclude<ReasonOf<'unknown'>, 'call_error'>;

/**
 * What a model is told of a call when nobody knows whether it took effect: the fixed text of the reason and, where there is
 * one, the tool that shows it.
 *
 * @param checkWith - Only a tool that is offered to whoever reads the text.
 */
export function unknownText(reason: UnknownReason, checkWith: string | undefined): string {
  const { text } = REASONS[reason];
  return checkWith === undefined ? text : `${text} Check with ${checkWith} before you repeat it.`;
}
