import { type Evidence, isOpen, MAX_EVIDENCE_ACTIONS, MAX_EVIDENCE_TEXT_BYTES } from './evidence.ts';
import { fingerprint } from './fingerprint.ts';
import { INITIAL_STATE, isProtocolState, MAX_STATE_COUNT, type ProtocolState } from './protocol-state.ts';
import { checkRepairPolicy, type RepairPolicy } from './repair-policy.ts';

/** Why a terminal was decided as it was, in the order in which the conditions are looked at. */
export const TERMINAL_REASONS = [
  'invalid_input',
  'invalid_protocol_state',
  'authoritative_candidate',
  'explicit_completion',
  'pre_output_failure',
  'unsafe_action_state',
  'missing_trajectory',
  'missing_objective',
  'completion_protocol_inactive',
  'protocol_terminal',
  'no_progress',
  'budget_exhausted',
  'intent_build_failed',
  'missing_completion_signal',
] as const;

/** A reason of {@link TERMINAL_REASONS}. */
export type TerminalReason = (typeof TERMINAL_REASONS)[number];

/** What a terminal decision is made of. */
export interface TerminalInput {
  readonly evidence: Evidence;
  /** The state before this attempt. */
  readonly state: ProtocolState;
  /** Whether the attempt had an active projection. */
  readonly expected: boolean;
  /** Whether it brought a valid completion. */
  readonly explicit: boolean;
  /** Attempts so far, this one included. */
  readonly attempts: number;
  readonly policy?: RepairPolicy;
  /** Makes the text of the repair; `undefined` when it cannot. Asked for only where a repair is due. */
  readonly repairText: () => string | undefined;
}

/** Whether the answer may end, or one more attempt is made. */
export type TerminalDecision =
  | { readonly kind: 'allow_stop'; readonly reason: TerminalReason; readonly state: ProtocolState }
  | {
      readonly kind: 'continue';
      readonly reason: 'missing_completion_signal';
      readonly state: ProtocolState;
      readonly repairText: string;
    };

const CAUSES: ReadonlySet<unknown> = new Set<Evidence['cause']>([
  'stop',
  'tool-calls',
  'limit',
  'refusal',
  'content-filter',
  'cancelled',
  'authority-denied',
  'paused',
  'provider',
  'transport',
  'unknown',
]);
const AUTHORITATIVE: ReadonlySet<unknown> = new Set([
  'refusal',
  'content-filter',
  'cancelled',
  'authority-denied',
  'paused',
]);
const FAILURES: ReadonlySet<unknown> = new Set(['transport', 'provider', 'limit']);
/** Reasons after which the trajectory is over; after the others the client may go on with it. */
const ENDS: ReadonlySet<TerminalReason> = new Set([
  'authoritative_candidate',
  'explicit_completion',
  'no_progress',
  'budget_exhausted',
]);

/**
 * Decides at the end of an attempt whether the answer may end. The first condition that holds decides; the same input
 * gives the same decision.
 *
 * @throws ControlError `control/options-invalid` for a policy outside its bounds.
 */
export function decideTerminal(input: TerminalInput): TerminalDecision {
  const policy = checkRepairPolicy(input.policy);
  const { evidence, state } = input;
  if (!isEvidence(evidence) || !isWhole(input.attempts)) return stop('invalid_input', state);
  if (!isProtocolState(state)) return stop('invalid_protocol_state', state);
  const reason = stopReason(input);
  if (reason !== undefined) return stop(reason, state);
  const print = fingerprint(evidence, input.expected, input.explicit);
  const consecutiveNoProgress =
    print === state.lastFingerprint ? Math.min(state.consecutiveNoProgress + 1, MAX_STATE_COUNT) : 0;
  const seen = Object.freeze({ ...state, lastFingerprint: print, consecutiveNoProgress });
  if (consecutiveNoProgress >= policy.noProgressLimit) return stop('no_progress', seen);
  if (state.reprompts >= policy.maxReprompts) return stop('budget_exhausted', seen);
  if (policy.maxAttempts > 0 && input.attempts >= policy.maxAttempts) return stop('budget_exhausted', seen);
  const repairText = input.repairText();
  if (repairText === undefined) return stop('intent_build_failed', state);
  return Object.freeze({
    kind: 'continue',
    reason: 'missing_completion_signal',
    state: Object.freeze({ ...seen, reprompts: state.reprompts + 1 }),
    repairText,
  });
}

/** What most terminals are decided by: none of the texts of the evidence. */
export interface EarlyInput extends Pick<TerminalInput, 'state' | 'explicit'> {
  readonly cause: Evidence['cause'];
  readonly outputCommitted: boolean;
  /** Whether an action, of this attempt or before it, is not completed. */
  readonly hasOpenAction: () => boolean;
}

/** The decision of `decideTerminal` where it needs no texts, which then need not be gathered; `undefined` elsewhere. */
export function decideEarly(input: EarlyInput): TerminalDecision | undefined {
  const { state } = input;
  if (!isProtocolState(state)) return stop('invalid_protocol_state', state);
  const reason = earlyReason(input);
  return reason === undefined ? undefined : stop(reason, state);
}

/** The conditions that need no texts. */
function earlyReason({
  cause,
  outputCommitted,
  explicit,
  hasOpenAction,
}: EarlyInput): TerminalReason | undefined {
  // A limit that was reached with output is the client's own word as well: going on would spend more than it allowed.
  const limited = cause === 'limit' && outputCommitted;
  if (limited || AUTHORITATIVE.has(cause)) return 'authoritative_candidate';
  if (explicit) return 'explicit_completion';
  if (!outputCommitted && FAILURES.has(cause)) return 'pre_output_failure';
  return hasOpenAction() ? 'unsafe_action_state' : undefined;
}

/** The conditions that need neither budget nor comparison. */
function stopReason({ evidence, state, explicit, expected }: TerminalInput): TerminalReason | undefined {
  const { actions, cause, outputCommitted } = evidence;
  const hasOpenAction = (): boolean => actions.some(isOpen);
  const early = earlyReason({ cause, outputCommitted, explicit, state, hasOpenAction });
  if (early !== undefined) return early;
  if (!evidence.trajectory) return 'missing_trajectory';
  if (evidence.objective === '') return 'missing_objective';
  if (!expected) return 'completion_protocol_inactive';
  return state.terminal ? 'protocol_terminal' : undefined;
}

function stop(reason: TerminalReason, state: ProtocolState): TerminalDecision {
  const known = isProtocolState(state) ? state : INITIAL_STATE;
  const next = ENDS.has(reason) ? Object.freeze({ ...known, terminal: true }) : state;
  return Object.freeze({ kind: 'allow_stop', reason, state: next });
}

function isEvidence(evidence: Evidence): boolean {
  return (
    typeof evidence === 'object' &&
    evidence !== null &&
    CAUSES.has(evidence.cause) &&
    [evidence.objective, evidence.recentText, evidence.candidateText].every(isBounded) &&
    Array.isArray(evidence.actions) &&
    evidence.actions.length <= MAX_EVIDENCE_ACTIONS &&
    typeof evidence.outputCommitted === 'boolean' &&
    typeof evidence.trajectory === 'boolean'
  );
}

function isBounded(text: unknown): boolean {
  return typeof text === 'string' && text.length <= MAX_EVIDENCE_TEXT_BYTES;
}

function isWhole(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
