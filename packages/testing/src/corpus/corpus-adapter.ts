import type { Clock, JsonValue, OutcomeKind, ToolCall } from '@toolgate/core';
import type { Capability } from './capability.ts';
import type { CorpusPolicy, CorpusResume, CorpusToolSpec } from './corpus-case.ts';

/**
 * What became of one call, in words that every system has. `executed`: it ran and its result goes to the model.
 * `refused`: the model is told no. `failed`: the model is told that it did not succeed. `unknown`: the model is told
 * that nobody knows. `suspended`: somebody has to decide first. `ended`: the system stops with an error.
 */
export type Verdict = 'executed' | 'refused' | 'failed' | 'unknown' | 'suspended' | 'ended';

/** The verdict that each kind of outcome of the core stands for. */
export const VERDICTS: Readonly<Record<OutcomeKind | 'ended', Verdict>> = Object.freeze({
  completed: 'executed',
  failed: 'failed',
  rejected: 'refused',
  invalid: 'refused',
  unknown: 'unknown',
  suspended: 'suspended',
  ended: 'ended',
});

/** What a handler of a corpus tool gets besides its arguments. Only the signal is used, where there is one. */
export interface CorpusHandlerContext {
  readonly signal?: AbortSignal | undefined;
}

/** A live tool. The runner counts its executions and sees what it gets, so an adapter need not report either. */
export interface CorpusTool {
  /** The tool as data, for what an adapter wants to map itself. */
  readonly spec: CorpusToolSpec;
  /** What the application hands over. It stays the application's: a case may edit it after registration. */
  readonly definition: {
    name: string;
    title?: string;
    description: string;
    inputSchema: JsonValue;
    outputSchema?: JsonValue;
    annotations?: JsonValue;
  };
  /** Runs the tool. May throw or return anything at all. */
  readonly execute: (input: unknown, context?: CorpusHandlerContext) => unknown;
  /** The policy to be asked before every execution; only `true` permits. May throw. */
  readonly authorize?: (request: { readonly arguments: unknown }) => unknown;
  /** Whether the tool is offered; only `true` offers. May throw. */
  readonly available?: () => unknown;
  /** Admission rules besides the schema: returns the texts of what it refuses. May throw or answer later. */
  readonly validate?: (input: unknown) => unknown;
}

/** What an adapter makes a system from, once for each case. */
export interface CorpusSetup {
  readonly tools: readonly CorpusTool[];
  readonly policy: CorpusPolicy;
  /** Answers for calls that need approval: `allow`, `decline`, `defer`, an edit, or nonsense. May throw. */
  readonly approve: (request: { readonly arguments: unknown }) => unknown;
  /** Where the system takes a clock: the one that the runner moves. */
  readonly clock: Clock;
  /** Cancels the run. */
  readonly signal: AbortSignal;
}

/** What a system made of one call. */
export interface CallReport {
  readonly verdict: Verdict;
  /** The system's own reason; compared when scoring strictly. */
  readonly reason?: string;
  /** Everything that the model would read about this call. */
  readonly modelText: string;
  /** What would be stored or sent along with it, as text; must be as free of secrets as the model's text. */
  readonly record?: string;
}

/** What a model is shown of a tool. */
export interface AdvertisedTool {
  readonly name: string;
  readonly description: unknown;
  readonly inputSchema: unknown;
}

/** Connects one tool-calling system with the corpus. */
export interface CorpusAdapter<System> {
  readonly name: string;
  /** What the system can express. A case that needs more counts as unsupported, never as passed. */
  readonly supports: 'everything' | readonly Capability[];
  /** `fake`: the system keeps time by `setup.clock`. Default `real`: by the platform, and the runner waits. */
  readonly time?: 'fake' | 'real';
  /** Makes a system with these tools. Throwing means that a definition was refused. */
  readonly register: (setup: CorpusSetup) => System | Promise<System>;
  /** Executes the calls of one turn and reports on each, in the same order. Rejecting means that the run ended. */
  readonly execute: (system: System, calls: readonly ToolCall[]) => Promise<readonly CallReport[]>;
  /** Executes one call with a decision about a suspended one. Needed for `approval-resume`. */
  readonly resume?: (system: System, call: ToolCall, decision: CorpusResume) => Promise<CallReport>;
  /** The tools that the model is offered now. Needed for `advertise`. */
  readonly advertised?: (system: System) => readonly AdvertisedTool[];
  /** Lets the system go. Called once for each system, also after a failure. */
  readonly close?: (system: System) => unknown;
}
