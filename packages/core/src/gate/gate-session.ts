/// <reference lib="esnext.disposable" preserve="true" />
import type { ToolCall } from '../tool/tool-call.ts';
import type { ToolDefinition } from '../tool/tool-definition.ts';
import type { ExecuteOptions } from './call-decision.ts';
import type { Outcome } from './outcome.ts';
import type { Straggler } from './session-state.ts';

/** What was left when a session closed. */
export interface SessionReport {
  readonly sessionId: string;
  /** How many calls came in. */
  readonly calls: number;
  /** Calls whose handlers still run, although their outcome is out. Whatever they do, nobody waits for it. */
  readonly stragglers: readonly Straggler[];
}

/**
 * One run. What it offers is fixed when it opens; every call gets exactly one outcome. Close it, or let `await using`
 * do so: until then it listens to the signal it was opened with.
 */
export interface GateSession {
  readonly id: string;
  /** What to show to the model: the tools that are offered, in order of declaration. Frozen, and the same to the end. */
  readonly definitions: readonly ToolDefinition[];
  /**
   * Executes one call. Whatever a model proposed comes back as an outcome; the promise rejects only when the run has to
   * end, or was misused. A handler must not wait for another call of its own session: it holds a slot, and perhaps a
   * key, that the other one may be waiting for.
   *
   * @throws {@link GateError} `gate/permanent`, `gate/authorization`, `gate/availability`, `gate/approval`: the run has
   * ended, all other calls of the session were cancelled. `gate/session-closed`, `gate/options-invalid`.
   */
  readonly execute: (call: ToolCall, options?: ExecuteOptions) => Promise<Outcome>;
  /**
   * Executes the calls of one turn, as parallel as their classes and keys let them be.
   *
   * @returns One outcome for each call, in call order, whatever happened to the others. A repeated id, and a call beyond
   * the limit of one turn, is refused and not executed.
   * @throws {@link GateError} as `execute`: the first error, when every call has its outcome, with all `outcomes`.
   */
  readonly executeAll: (calls: readonly ToolCall[]) => Promise<readonly Outcome[]>;
  /** Cancels what has no outcome, waits for it within the grace period, and says what still runs. Again: the same. */
  readonly close: () => Promise<SessionReport>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}
