import type { CallChanges } from './call-changes.ts';
import type { GateError } from './gate-error.ts';
import type { CallEventPart } from './gate-event.ts';
import type { Outcome } from './outcome.ts';

/** What the end of a call says beside its outcome. */
export interface CallEndFacts {
  readonly dispatched: boolean;
  readonly durationMs: number;
  readonly changes: CallChanges;
  /** Set when the call ended the run. */
  readonly failure: GateError | undefined;
  /** Whether events carry content. */
  readonly full: boolean;
}

/** The event about the end of a call. */
export function toCallEnd(outcome: Outcome, facts: CallEndFacts): CallEventPart {
  const { dispatched, durationMs, changes, failure, full } = facts;
  const { edited, repairedFrom, redactions, mended } = changes;
  const output = outcome.kind === 'suspended' ? undefined : outcome.output;
  const truncated = outcome.kind === 'completed' ? outcome.truncated : undefined;
  const detail = outcome.kind === 'rejected' ? outcome.detail : undefined;
  return {
    kind: 'call-end',
    outcome: outcome.kind,
    reason: outcome.reason,
    ...(detail === undefined ? {} : { detail }),
    dispatched,
    durationMs,
    outputBytes: output?.byteSize ?? 0,
    ...(truncated === undefined ? {} : { originalBytes: truncated.originalBytes }),
    redactions,
    mended,
    ...(edited ? { edited: true } : {}),
    ...(repairedFrom === undefined ? {} : { repaired: true }),
    ...(failure === undefined ? {} : { error: failure.code }),
    ...(full && output !== undefined ? { output } : {}),
    ...(full && outcome.cause !== undefined ? { cause: outcome.cause } : {}),
  };
}
