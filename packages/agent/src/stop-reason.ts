/**
 * Every way a run can end. Closed: adding one is a change of the API.
 */
export const STOP_REASONS = {
  answer: 'the model answered and proposed no further call',
  no_answer: 'the model ended without saying anything, and proposed no call',
  suspended: 'at least one call waits for a decision; the state can be resumed',
  tool_stop: 'a tool of `stopAfterTools` has completed',
  turn_limit: 'the model was asked as often as the limits allow',
  token_limit: 'the run used as many tokens as the limits allow',
  time_limit: 'the run took as long as the limits allow',
  no_progress:
    'the same call gave the same outcome again and again, or several turns brought nothing but refusals',
  length: 'the answer was cut off at its length limit and proposed no call',
  content_filter: 'the provider withheld the answer',
  refusal: 'the model refused',
  cancelled: 'the caller cancelled the run',
  model_error: 'the model could not be asked, or its answer broke off',
  permanent_error: 'a tool or a policy ended the run',
} as const;

/** Why a run ended. */
export type StopReason = keyof typeof STOP_REASONS;
