import type {
  ApprovalRequest,
  JsonValue,
  Outcome,
  OutcomeKind,
  OutputPart,
  Reason,
  Truncation,
} from '@toolgate/core';

/** The outcome of one call as plain JSON: what a run keeps, stores and reports. */
export interface RunOutcome {
  readonly callId: string;
  readonly name: string;
  readonly kind: OutcomeKind;
  readonly reason: Reason;
  /** What the model gets; empty while suspended. */
  readonly parts: readonly OutputPart[];
  readonly structured?: JsonValue;
  /** Set while suspended: what somebody has to decide. */
  readonly approval?: ApprovalRequest;
  readonly truncated?: Truncation;
  /** Pointers of members that defaults filled in. */
  readonly filled?: readonly string[];
  /** The argument text before a repair. */
  readonly repairedFrom?: string;
  /** A reviewer changed the arguments. */
  readonly edited?: true;
  /** With `edited`, where the handler was called: the arguments it was called with, as JSON text. */
  readonly ranWith?: string;
  /** How many halves of surrogate pairs in the result were replaced by U+FFFD. */
  readonly mended?: number;
}

const NO_PARTS: readonly OutputPart[] = Object.freeze([]);

/** Takes from an outcome what may be stored; its cause stays behind. Deeply frozen: events show it before it is stored. */
export function toRunOutcome(outcome: Outcome): RunOutcome {
  const { callId, name, kind, reason } = outcome;
  if (outcome.kind === 'suspended')
    return Object.freeze({ callId, name, kind, reason, parts: NO_PARTS, approval: outcome.approval });
  const { parts, structured } = outcome.output.toJSON();
  const base = {
    callId,
    name,
    kind,
    reason,
    parts,
    ...(structured === undefined ? {} : { structured }),
    ...(outcome.edited === true ? { edited: true as const } : {}),
    ...(outcome.ranWith === undefined ? {} : { ranWith: outcome.ranWith }),
  };
  if (outcome.kind !== 'completed') return Object.freeze(base);
  const { truncated, filled, repairedFrom, mended } = outcome;
  return Object.freeze({
    ...base,
    ...(truncated === undefined ? {} : { truncated }),
    ...(filled === undefined ? {} : { filled }),
    ...(repairedFrom === undefined ? {} : { repairedFrom }),
    ...(mended === undefined ? {} : { mended }),
  });
}

/** Whether a call has reached its tool, or may have: what was refused on the way has not. */
export function hasReached({ kind, reason }: Pick<RunOutcome, 'kind' | 'reason'>): boolean {
  return kind === 'completed' || kind === 'failed' || kind === 'unknown' || reason === 'tool_rejected';
}
