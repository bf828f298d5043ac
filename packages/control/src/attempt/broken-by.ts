import { ModelError } from '@toolgate/model';
import { ControlError } from '../control-error.ts';
import type { TerminalEvent } from './attempt-facts.ts';

/** The end of an answer whose handler failed. */
export const HANDLER_FAILED: TerminalEvent = Object.freeze({
  kind: 'response-error',
  code: 'control_handler_failed',
  message: 'The answer could not be completed.',
});

/** The end of an answer that has none. */
export const CUT: TerminalEvent = Object.freeze({
  kind: 'response-error',
  code: 'model/stream-incomplete',
  message: 'The answer of the model was cut off.',
});

/** The terminal for what broke an attempt; nothing of its message goes on. */
export function brokenBy(error: unknown): TerminalEvent {
  if (ControlError.is(error)) return Object.freeze({ ...HANDLER_FAILED, code: error.code });
  return ModelError.is(error) ? Object.freeze({ ...CUT, code: error.code }) : CUT;
}

/** Whether an attempt broke because of us, so that another one would break as well. */
export function isOurs(broken: TerminalEvent): boolean {
  return broken.kind === 'response-error' && broken.code.startsWith('control/');
}
