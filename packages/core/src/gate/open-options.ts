import type { ApprovalRequest } from '../policy/approval.ts';
import type { ScopeOptions } from '../policy/scope-options.ts';
import { GateError } from './gate-error.ts';
import type { GateObserver } from './gate-event.ts';

/** What identifies a call that somebody declined, in every request about it. */
export type DeclinedCall = Pick<ApprovalRequest, 'contractDigest' | 'argumentsDigest'>;

/** What a session is opened with. */
export interface OpenOptions<Context = unknown> {
  /** The application's trusted value, handed to policies and tools as it is. Never built from what a model wrote. */
  readonly context: Context;
  /** Cancels the calls of the session. */
  readonly signal?: AbortSignal;
  /** Who the run acts for, as the application names it; approvals are bound to it, events carry it. */
  readonly principal?: string;
  /** Default: a new id. Give the same one again when a run is resumed, so that idempotency keys stay the same. */
  readonly sessionId?: string;
  /** Calls that were declined before, in a run that goes on: nobody is asked about them again. */
  readonly declined?: readonly DeclinedCall[];
  /** Removes tools and adds approvals for this session only. */
  readonly narrow?: ScopeOptions<Context>;
  /** Told about this session only, after the gate's own observer. */
  readonly observe?: GateObserver;
}

const FIELDS: readonly string[] = [
  'context',
  'signal',
  'principal',
  'sessionId',
  'declined',
  'narrow',
  'observe',
];
const MAX_TEXT = 256;
const DIGEST = /^sha256:[0-9a-f]{64}$/;

/**
 * Reads the options of a session once.
 *
 * @throws {@link GateError} `gate/options-invalid`.
 */
export function readOpenOptions<Context>(options: OpenOptions<Context>): OpenOptions<Context> {
  if (typeof options !== 'object' || options === null) refuse('A session is opened with { context }.');
  const copy = { ...options };
  if (Object.keys(copy).some((name) => !FIELDS.includes(name))) {
    refuse(`A session has an unknown option; it takes ${FIELDS.join(', ')}.`);
  }
  const { signal, principal, sessionId, declined, observe } = copy;
  if (observe !== undefined && typeof observe !== 'function') refuse('observe is a function.');
  if (signal !== undefined && !isSignal(signal)) refuse('signal is an AbortSignal.');
  if (principal !== undefined && !isText(principal)) refuse('principal is a text of 1 to 256 characters.');
  if (sessionId !== undefined && !isText(sessionId)) refuse('sessionId is a text of 1 to 256 characters.');
  return declined === undefined ? copy : { ...copy, declined: readDeclined(declined) };
}

function readDeclined(declined: readonly DeclinedCall[]): readonly DeclinedCall[] {
  if (!Array.isArray(declined)) refuse('declined is an array of approval requests, or of their digests.');
  return Array.from<DeclinedCall, DeclinedCall>(declined, (call) => {
    const { contractDigest, argumentsDigest } = call ?? {};
    // Passed over, it would be asked about again.
    if (!isDigest(contractDigest) || !isDigest(argumentsDigest))
      refuse('What was declined has a contractDigest and an argumentsDigest.');
    return { contractDigest, argumentsDigest };
  });
}

function isDigest(value: unknown): boolean {
  return typeof value === 'string' && DIGEST.test(value);
}

/** Whether a value is an AbortSignal. By the members that are used of one: a signal may come from another realm. */
export function isSignal(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    'aborted' in value &&
    typeof value.aborted === 'boolean' &&
    'addEventListener' in value &&
    typeof value.addEventListener === 'function' &&
    'removeEventListener' in value &&
    typeof value.removeEventListener === 'function'
  );
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.length <= MAX_TEXT && value.isWellFormed();
}

function refuse(message: string): never {
  throw new GateError('gate/options-invalid', message);
}
