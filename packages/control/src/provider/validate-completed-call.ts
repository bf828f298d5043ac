import { MAX_IDENTIFIER_BYTES, MAX_TOOL_NAME_BYTES } from '../bounds.ts';
import { ControlError } from '../control-error.ts';
import { exceedsBytes } from '../text/exceeds-bytes.ts';
import { memberReader } from '../text/read-member.ts';
import { textFault } from '../text/text-fault.ts';
import type { CompletedCall } from './completed-call.ts';

/**
 * Checks the identity of a captured call and the length of its arguments. That they are JSON was the capture's business.
 * Every name is accepted: the projection says whose tool it is.
 *
 * @returns A frozen copy.
 * @throws ControlError `control/call-invalid`.
 */
export function validateCompletedCall(call: CompletedCall, maxArgsBytes: number): CompletedCall {
  if (!Number.isSafeInteger(maxArgsBytes) || maxArgsBytes <= 0) {
    throw invalid('The budget of the arguments must be a whole number from 1 on.');
  }
  const member = memberReader(call, 'control/call-invalid', 'the call');
  const toolCallId = member('toolCallId');
  const toolName = member('toolName');
  const argsJson = member('argsJson');
  const idFault = textFault(toolCallId, { maxBytes: MAX_IDENTIFIER_BYTES, required: true });
  if (idFault !== undefined) throw invalid(`The id of the call ${idFault}.`);
  const nameFault = textFault(toolName, { maxBytes: MAX_TOOL_NAME_BYTES, required: true, exact: true });
  if (nameFault !== undefined) throw invalid(`The name of the call ${nameFault}.`);
  if (typeof argsJson !== 'string') throw invalid('The arguments of the call must be a string.');
  if (exceedsBytes(argsJson, maxArgsBytes)) throw invalid('The arguments of the call are too long.');
  return Object.freeze({ toolCallId: String(toolCallId), toolName: String(toolName), argsJson });
}

function invalid(message: string): ControlError {
  return new ControlError('control/call-invalid', message);
}
