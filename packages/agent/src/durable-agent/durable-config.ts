import type { JsonValue, ToolOutput } from '@toolgate/core';
import type { AgentConfig } from '../agent-config.ts';
import type { EngineConfig } from '../durable/journal-host.ts';
import type { DurableHost } from '../durable/port.ts';

/** What an agent gives to the engine that executes its runs. */
export type EngineParts = Pick<EngineConfig, 'loops' | 'handlers' | 'reconcilers' | 'clock'>;

/**
 * Makes the engine: `createMemoryEngine`, or
 * `(parts) => createSqliteEngine({ ...parts, database: 'runs.db' })`.
 */
export type CreateEngine = (parts: EngineParts) => DurableHost;

/** What is known of a run wherever it goes on; plain data, kept with the run. */
export interface DurableRunInfo {
  readonly runId: string;
  readonly principal?: string;
  /** What `start` was given: enough to find the context again, a tenant id for example; never a secret. */
  readonly reference: JsonValue;
}

/** A call that was started by a process that died before it could say how the call ended. */
export interface CallInDoubt {
  readonly runId: string;
  readonly callId: string;
  readonly tool: string;
  /** The argument text of the call; after an edit, the edited one. */
  readonly arguments: string;
  /** The key that the handler saw. */
  readonly idempotencyKey: string;
}

/** What became of a call in doubt. A text or an output is its result; `not-started` says that it had no effect. */
export type Reconciled =
  | { readonly kind: 'completed'; readonly output: string | ToolOutput }
  | { readonly kind: 'not-started' }
  | { readonly kind: 'unknown' };

/** How runs of a durable agent are executed. */
export type DurableOptions<Context = unknown> = {
  readonly engine: CreateEngine;
  /**
   * Asked about a call that may have had an effect, instead of executing it again. Default: nobody knows; the model is
   * told so. A throw means the same.
   */
  readonly reconcile?: Reconcile<Context>;
} & ContextOption<Context>;

/** Says what became of a call in doubt. Must not execute it. */
export type Reconcile<Context = unknown> = (
  call: CallInDoubt,
  run: { readonly context: Context; readonly signal: AbortSignal },
) => Reconciled | Promise<Reconciled>;

/** Needed where the tools need a context: it is made anew wherever a run goes on, and never stored. */
type ContextOption<Context> = unknown extends Context
  ? { readonly contextOf?: ContextOf<Context> }
  : { readonly contextOf: ContextOf<Context> };

/** Finds the trusted context of a run. A throw ends the run: it could not act for anybody. */
export type ContextOf<Context> = (run: DurableRunInfo) => Context | Promise<Context>;

/** An agent without what only suspended states need: the journal keeps decisions, and nobody else writes it. */
export type DurableAgentConfig<Context = unknown> = Omit<
  AgentConfig<Context>,
  'stateKey' | 'cipher' | 'claimDecision' | 'ids'
>;
