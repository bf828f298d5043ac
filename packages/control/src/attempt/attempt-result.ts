import type { CaptureReason } from '../capture/capture-reason.ts';
import type { AttemptFacts } from '../completion/evidence.ts';
import type { HandlerFaultReason } from '../provider/run-handler.ts';

/** What became of the control call of one attempt. */
export type AttemptResult =
  /** The model made none. `clientCompletion`: it used a completion tool of the client's instead. */
  | { readonly kind: 'absent'; readonly facts: AttemptFacts; readonly clientCompletion: boolean }
  /** A valid completion. */
  | {
      readonly kind: 'valid';
      readonly facts: AttemptFacts;
      readonly reasonCode: string;
      readonly resultText: string;
    }
  /** The provider refused it, with its reason code. */
  | { readonly kind: 'invalid'; readonly facts: AttemptFacts; readonly reasonCode: string }
  /** It was not handed to the provider. */
  | { readonly kind: 'refused'; readonly facts: AttemptFacts; readonly reason: CaptureReason | RefusalReason }
  /** The provider failed; the answer must end with an error. */
  | { readonly kind: 'failed'; readonly facts: AttemptFacts; readonly reason: HandlerFaultReason }
  /** The attempt was over before there was anything to say. */
  | { readonly kind: 'dropped'; readonly facts: AttemptFacts };

/** Why a whole control call does not count all the same. */
export type RefusalReason =
  /** Other tools were called in the same turn: those come first. */
  | 'ordinary_calls_pending'
  /** The turn did not end as turns with a call end. */
  | 'turn_unfinished'
  /** There were more control calls than can be told apart. */
  | 'too_many_calls';

/** Bounded words for metrics; whatever is not in the list is `other`. */
export type Observation =
  | 'observed'
  | 'valid'
  | 'invalid'
  | 'args_too_large'
  | 'multiple_calls'
  | 'handler_error'
  | 'absent';

/** The word for a result in metrics. */
export function observationOf(result: AttemptResult): Observation {
  switch (result.kind) {
    case 'absent':
      return 'absent';
    case 'dropped':
      return 'observed';
    case 'valid':
      return 'valid';
    case 'failed':
      return 'handler_error';
    case 'invalid':
      return 'invalid';
    case 'refused':
      if (result.reason === 'control_call_args_overflow') return 'args_too_large';
      return result.reason === 'control_call_multiple_calls' ? 'multiple_calls' : 'invalid';
  }
}
