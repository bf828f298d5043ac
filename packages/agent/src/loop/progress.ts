import { digestText, type ToolCall } from '@toolgate/core';
import type { RunOutcome } from '../state/run-outcome.ts';

/** What the breakers remember from turn to turn. */
export interface Progress {
  readonly repeats: Readonly<Record<string, number>>;
  readonly fruitlessTurns: number;
}

/**
 * Counts, after a turn, how often each of its calls gave the same outcome in a row, and how many turns brought nothing.
 * A call that is not repeated in the next turn is forgotten.
 */
export function countProgress(
  before: Progress,
  turn: readonly { readonly call: ToolCall; readonly outcome: RunOutcome }[],
): Progress {
  const repeats: Record<string, number> = {};
  for (const { call, outcome } of turn) {
    const key = digestText(JSON.stringify([call.name, call.arguments, outcome.reason, outcome.parts]));
    // The same call twice in one turn is one sign, not two.
    repeats[key] = (before.repeats[key] ?? 0) + 1;
  }
  const fruitful = turn.some(({ outcome }) => outcome.kind === 'completed' || outcome.kind === 'failed');
  return { repeats, fruitlessTurns: fruitful ? 0 : before.fruitlessTurns + 1 };
}

/** The longest row of equal outcomes. */
export function longestRepeat({ repeats }: Progress): number {
  return Math.max(0, ...Object.values(repeats));
}
