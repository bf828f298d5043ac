import type { DeclinedCall, ToolCall } from '@toolgate/core';
import type { Item } from '@toolgate/model';
import type { Advertised } from '../loop/loop-rules.ts';
import type { RunOutcome } from './run-outcome.ts';
import type { RunWarning } from './run-warning.ts';

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

/** How often a call gave the same outcome; by the id of the last such call. */
export interface SeenCall {
  readonly callId: string;
  readonly count: number;
}

/** Everything a run knows, as plain JSON. The application's context is not in it. */
export interface LoopState {
  readonly runId: string;
  /** Who the run acts for; `null` where the application does not say. */
  readonly principal: string | null;
  /** The history, without the results of the open turn. */
  readonly items: readonly Item[];
  /** Text of the last answer. */
  readonly text: string;
  /** Model turns so far. */
  readonly turns: number;
  /** Milliseconds the run has worked, waiting for decisions not counted. */
  readonly workedMs: number;
  readonly usage: RunUsage;
  /** The calls of the last turn, until each has a settled outcome. */
  readonly open: readonly TurnCall[];
  /** Settled outcomes of all closed turns, in order. */
  readonly outcomes: readonly RunOutcome[];
  /** What was advertised: a run never offers anything else. `null` before the list is fixed. */
  readonly advertised: Advertised | null;
  /** How often a call has reached a tool that has a limit, by name. */
  readonly calls: Readonly<Record<string, number>>;
  readonly seen: readonly SeenCall[];
  /** Turns in a row that brought no call or outcome that had not been there before. */
  readonly staleTurns: number;
  /** Turns in a row that brought nothing but refused, invalid or unknown calls. */
  readonly fruitlessTurns: number;
  /** Keys of calls that were declined; the same call is not asked about again. */
  readonly declined: readonly string[];
  /** The same by what the contract admitted, for calls that differ in what the model wrote; absent where there are none. */
  readonly declinedCalls?: readonly DeclinedCall[];
  /** Approval ids that were decided. */
  readonly decided: readonly string[];
  readonly warnings: readonly RunWarning[];
}

/** The state of a run that has not begun. */
export function newLoopState(
  runId: string,
  principal: string | undefined,
  items: readonly Item[],
): LoopState {
  return {
    runId,
    principal: principal ?? null,
    items,
    text: '',
    turns: 0,
    workedMs: 0,
    usage: { inputTotal: null, outputTotal: null },
    open: [],
    outcomes: [],
    advertised: null,
    calls: {},
    seen: [],
    staleTurns: 0,
    fruitlessTurns: 0,
    declined: [],
    decided: [],
    warnings: [],
  };
}
