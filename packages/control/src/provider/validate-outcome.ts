import { MAX_REASON_CODE_BYTES, MAX_RESULT_TEXT_BYTES } from '../bounds.ts';
import { ControlError } from '../control-error.ts';
import { memberReader } from '../text/read-member.ts';
import { textFault } from '../text/text-fault.ts';
import type { ControlOutcome } from './control-tool-provider.ts';

const REASON_CODE = new RegExp(`^[A-Za-z0-9_.-]{1,${MAX_REASON_CODE_BYTES}}$`);

/**
 * Checks what a handler decided. One without a kind is `invalid`, which says the least.
 *
 * @returns A frozen copy.
 * @throws ControlError `control/outcome-invalid`.
 */
export function validateOutcome(outcome: ControlOutcome): ControlOutcome {
  const member = memberReader(outcome, 'control/outcome-invalid', 'the outcome');
  const kind = member('kind') ?? 'invalid';
  const reasonCode = member('reasonCode');
  const resultText = member('resultText') ?? '';
  if (kind !== 'invalid' && kind !== 'complete') throw invalid('The kind of the outcome is not known.');
  if (typeof reasonCode !== 'string' || !REASON_CODE.test(reasonCode)) {
    throw invalid(`The reason must be 1 to ${MAX_REASON_CODE_BYTES} characters of A-Z a-z 0-9 _ . -`);
  }
  if (kind === 'invalid') {
    if (resultText !== '') throw invalid('An invalid outcome has no text.');
    return Object.freeze({ kind, reasonCode });
  }
  const fault = resultFault(resultText);
  if (fault !== undefined || typeof resultText !== 'string') throw invalid(`The result ${fault}.`);
  return Object.freeze({ kind, reasonCode, resultText });
}

/** What is wrong with a text that shall be published; `undefined` for nothing. */
export function resultFault(text: unknown): string | undefined {
  return textFault(text, { maxBytes: MAX_RESULT_TEXT_BYTES, required: true, noNul: true });
}

function invalid(message: string): ControlError {
  return new ControlError('control/outcome-invalid', message);
}
