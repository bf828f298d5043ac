import type { JsonValue } from '@toolgate/core';
import type { AgentEvent } from '../agent-event.ts';
import type { RunInput } from '../run-input.ts';
import type { RunDecision } from '../state/run-decision.ts';
import type { DurableStatus, PendingApproval } from './durable-status.ts';

/** What a durable run reports while it goes on; the last event says where it ended. */
export type DurableEvent =
  | Exclude<AgentEvent, { readonly kind: 'run-end' }>
  | { readonly kind: 'run-end'; readonly status: DurableStatus };

/** What goes with the start of a durable run. */
export interface DurableStartOptions {
  /** Who the run acts for; approvals are bound to it. */
  readonly principal?: string;
  /** Handed to `contextOf` wherever the run goes on. Stored in clear. Default `null`. */
  readonly reference?: JsonValue;
}

/** What a decision came to. `expired`: it came too late. `unknown`: nobody waits for it. */
export type DecideResult = 'accepted' | 'already' | 'expired' | 'unknown';

/**
 * An agent whose runs outlive their process: every step is written down, a run that waits for a decision needs no
 * memory, and whoever has the journal goes on with it. A tool that is neither `read` nor declared idempotent starts at
 * most once for each call, whatever crashes.
 */
export interface DurableAgent {
  /**
   * Starts a run, or says that this id was used before; then nothing happens.
   *
   * @throws AgentError `agent/input-invalid`.
   */
  readonly start: (
    runId: string,
    input: RunInput,
    options?: DurableStartOptions,
  ) => Promise<'started' | 'exists'>;
  /**
   * Decides about a pending approval. The first decision wins; the run goes on when all of its turn are decided.
   *
   * @throws AgentError `agent/decision-invalid`.
   */
  readonly decide: (runId: string, decision: RunDecision) => Promise<DecideResult>;
  /** What waits for a decision, oldest run first. */
  readonly pending: (page?: {
    readonly limit?: number;
    readonly offset?: number;
  }) => Promise<readonly PendingApproval[]>;
  readonly status: (runId: string) => Promise<DurableStatus | null>;
  /**
   * Resolves when the run has ended, or is stuck.
   *
   * @throws AgentError `agent/closed` when the agent is closed meanwhile.
   */
  readonly finished: (runId: string) => Promise<DurableStatus>;
  /** Ends a run before its next step; undoes nothing. */
  readonly cancel: (runId: string, reason: string) => Promise<void>;
  /**
   * Events of a run from now on, as far as it is executed in this process; best effort, repeated after a crash, and
   * always ended by `run-end`. Leaving early does nothing to the run.
   */
  readonly events: (runId: string) => AsyncIterable<DurableEvent>;
  /** Stops working; runs stay where they are. Started handlers are signalled and joined. Everything else then throws. */
  readonly close: () => Promise<void>;
}
