import type { ToolCall } from '@toolgate/core';
import type { RunOutcome } from '../state/run-outcome.ts';
import { callKey } from './call-key.ts';

/** A settled call. */
export interface SettledCall {
  readonly call: Pick<ToolCall, 'name' | 'arguments'>;
  readonly outcome: RunOutcome;
}

/** What the breakers remember of a run. */
export interface Progress {
  /** Takes a settled turn; answers which of its calls, by place, have been made how often with the same outcome. */
  note(turn: readonly SettledCall[]): readonly number[];
  /** The longest row of equal calls, as long as nothing new came in between; else 0. */
  readonly repeats: number;
  readonly staleTurns: number;
  readonly fruitlessTurns: number;
  /** Every distinct call with its last outcome. */
  entries(): readonly { readonly callId: string; readonly count: number }[];
}

/** Where counting goes on after a resume. */
export interface ProgressStart {
  readonly seen: readonly (SettledCall & { readonly count: number })[];
  readonly staleTurns: number;
  readonly fruitlessTurns: number;
}

/**
 * Counts, turn by turn, how often each call gave the same outcome, and how many turns in a row brought nothing new, or
 * nothing at all. A call that is made again and again between others that do bring something is no cause to stop.
 *
 * @param mayRepeat - Tools whose calls are no sign either way, and are not remembered.
 */
export function createProgress(start: ProgressStart, mayRepeat: readonly string[] = []): Progress {
  const seen = new Map<string, { outcome: RunOutcome; count: number }>();
  for (const { call, outcome, count } of start.seen) seen.set(callKey(call), { outcome, count });
  let { staleTurns, fruitlessTurns } = start;
  let longest = 0;

  return {
    note(turn) {
      const counted = new Map<string, number>();
      const counts = turn.map(({ call, outcome }) => {
        if (mayRepeat.includes(call.name)) return 0;
        const key = callKey(call);
        // The same call twice in one turn is one sign, not two.
        const already = counted.get(key);
        if (already !== undefined) return already;
        const before = seen.get(key);
        const count = before !== undefined && isSame(before.outcome, outcome) ? before.count + 1 : 1;
        seen.set(key, { outcome, count });
        counted.set(key, count);
        return count;
      });
      longest = Math.max(0, ...counted.values());
      const signs = counts.filter((count) => count > 0);
      if (signs.length > 0) staleTurns = signs.every((count) => count > 1) ? staleTurns + 1 : 0;
      const fruitful = turn.some(({ outcome }) => outcome.kind === 'completed' || outcome.kind === 'failed');
      fruitlessTurns = fruitful ? 0 : fruitlessTurns + 1;
      return counts;
    },
    get repeats() {
      // Of n equal calls in a row all but the first are stale.
      return Math.min(longest, staleTurns + 1);
    },
    get staleTurns() {
      return staleTurns;
    },
    get fruitlessTurns() {
      return fruitlessTurns;
    },
    entries: () => [...seen.values()].map(({ outcome, count }) => ({ callId: outcome.callId, count })),
  };
}

function isSame(left: RunOutcome, right: RunOutcome): boolean {
  return left.reason === right.reason && JSON.stringify(left.parts) === JSON.stringify(right.parts);
}
