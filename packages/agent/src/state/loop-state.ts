import type { Digest, ToolCall } from '@toolgate/core';
import type { Item } from '@toolgate/model';
import type { RunOutcome } from './run-outcome.ts';

/** Tokens of a whole run; `null` where a provider did not say. */
export interface RunUsage {
  readonly inputTotal: number | null;
  readonly outputTotal: number | null;
}

/** One call of the turn that is being worked on, and its outcome so far. */
export interface TurnCall {
  readonly call: ToolCall;
  readonly outcome: RunOutcome | null;
}

/** Everything a run knows, as plain JSON. The application's context is not in it. */
export interface LoopState {
  readonly runId: string;
  /** The history, without the calls and results of an open turn's results. */
  readonly items: readonly Item[];
  /** Model turns so far. */
  readonly turns: number;
  /** Milliseconds the run has worked, waiting for decisions not counted. */
  readonly workedMs: number;
  readonly usage: RunUsage;
  /** The calls of the last turn, until each has a settled outcome. */
  readonly open: readonly TurnCall[];
  /** Settled outcomes of all turns, in order. */
  readonly outcomes: readonly RunOutcome[];
  /** What was advertised: a run never offers anything else. */
  readonly advertised: Readonly<Record<string, Digest>>;
  /** How often a tool was called, by name. */
  readonly calls: Readonly<Record<string, number>>;
  /** How often one call with the same arguments had the same outcome in a row, by digest; only the last turn's. */
  readonly repeats: Readonly<Record<string, number>>;
  /** Turns in a row that brought nothing but refused, invalid or unknown calls. */
  readonly fruitlessTurns: number;
}
