/** The six kinds of outcome. */
export type OutcomeKind = 'completed' | 'failed' | 'rejected' | 'invalid' | 'unknown' | 'suspended';

/** One row of the closed vocabulary. */
export interface ReasonEntry {
  readonly kind: OutcomeKind;
  /** When the reason applies, for people. */
  readonly when: string;
  /** The fixed text for the model; absent where the output carries its own. */
  readonly text?: string;
}

/**
 * Every reason an outcome can have. Closed: adding one is a change of the API. Reasons are free of content and safe
 * for logs, metrics and audit.
 */
export const REASONS = {
  completed: { kind: 'completed', when: 'the handler returned and its output is valid and within budget' },
  completed_truncated: {
    kind: 'completed',
    when: 'the output exceeded its budget; what fits is given, marked',
  },
  tool_error: { kind: 'failed', when: 'the handler threw ToolError' },
  tool_failure: { kind: 'failed', when: 'the handler threw a Failure of kind failed' },
  handler_error: { kind: 'failed', when: 'the handler threw anything else', text: 'The tool failed.' },
  output_invalid: {
    kind: 'failed',
    when: 'the result is not encodable or breaks the output schema',
    text: 'The tool failed.',
  },
  output_too_large: {
    kind: 'failed',
    when: 'the result is over budget and the overflow policy is fail',
    text: "The tool's result was too large.",
  },
  tool_unavailable: {
    kind: 'rejected',
    when: 'unknown name, hidden by scope, privileged and not allowed, or not available to this caller',
    text: 'The tool is not available.',
  },
  not_authorized: { kind: 'rejected', when: 'an authorizer refused', text: 'The call is not authorized.' },
  tool_rejected: { kind: 'rejected', when: 'the handler threw a Failure of kind rejected' },
  approval_declined: {
    kind: 'rejected',
    when: 'a reviewer or policy declined',
    text: 'The call was declined. Do not repeat it.',
  },
  approval_expired: {
    kind: 'rejected',
    when: 'nobody decided in time, or what was approved has changed',
    text: 'Approval was not given in time.',
  },
  not_started: {
    kind: 'rejected',
    when: 'cancelled, or the run ended, before dispatch',
    text: 'The call was not started.',
  },
  call_limit: {
    kind: 'rejected',
    when: 'the turn proposed more calls than one turn may have',
    text: 'The call was not started: too many calls in one turn.',
  },
  arguments_malformed: { kind: 'invalid', when: 'the argument text is not one I-JSON text (RFC 7493)' },
  arguments_too_large: { kind: 'invalid', when: 'the argument text has too many bytes' },
  arguments_too_deep: { kind: 'invalid', when: 'the argument text is nested too deep' },
  arguments_not_object: { kind: 'invalid', when: 'the root of the arguments is not an object' },
  arguments_rejected: { kind: 'invalid', when: 'the schema or the input validator refused the arguments' },
  validator_defect: {
    kind: 'invalid',
    when: 'the input validator itself threw or answered asynchronously',
    text: 'The call could not be checked.',
  },
  call_incomplete: {
    kind: 'invalid',
    when: 'the turn was cut off before the call was finished',
    text: 'The call was cut off and did not run. If its arguments are long, send less at once.',
  },
  call_unread: {
    kind: 'invalid',
    when: 'the call stands in an answer where no call is checked; only the gateway says so',
    text: 'The call could not be checked.',
  },
  call_id_invalid: { kind: 'invalid', when: 'the call id is blank, over-long or malformed' },
  call_id_duplicate: {
    kind: 'invalid',
    when: 'the call id was used before in the same turn',
    text: 'The call id was used before in this turn. The call was not started.',
  },
  deadline_exceeded: {
    kind: 'unknown',
    when: 'the handler did not settle within its timeout',
    text: 'The tool did not finish in time. Its effects are unknown.',
  },
  cancelled_after_dispatch: {
    kind: 'unknown',
    when: 'the run was cancelled and the handler did not settle within the grace period',
    text: 'The call was cancelled while it ran. Its effects are unknown.',
  },
  interrupted: {
    kind: 'unknown',
    when: 'the process died, or the connection to the tool broke, after dispatch and before the result was recorded',
    text: 'The call was interrupted. Its effects are unknown.',
  },
  call_error: { kind: 'unknown', when: 'the handler threw CallError: evidence, no outcome' },
  approval_pending: { kind: 'suspended', when: 'waiting for a decision; nothing ran' },
} as const;

/** A reason of the closed vocabulary. */
export type Reason = keyof typeof REASONS;

/** What the vocabulary says about a reason. */
export function reasonEntry(reason: Reason): ReasonEntry {
  return REASONS[reason];
}

/** The reasons that belong to one kind of outcome. */
export type ReasonOf<Kind extends OutcomeKind> = {
  [Name in Reason]: (typeof REASONS)[Name]['kind'] extends Kind ? Name : never;
}[Reason];

/** Why a tool was unavailable; for audit only, never for the model or the client. */
export type UnavailableDetail =
  | 'unknown_name'
  | 'scope_denied'
  | 'privileged_not_allowed'
  | 'availability_denied';
