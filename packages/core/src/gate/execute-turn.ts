import type { ToolCall } from '../tool/tool-call.ts';
import { beginCall } from './begin-call.ts';
import { GateError } from './gate-error.ts';
import type { UnsuccessfulReason } from './make-outcome.ts';
import type { Outcome } from './outcome.ts';
import { readCall } from './read-call.ts';
import type { SessionState } from './session-state.ts';

/**
 * Starts all calls of one turn in call order and waits for all of them.
 *
 * @returns One outcome for each, in call order. Frozen.
 * @throws {@link GateError} `gate/options-invalid` for anything but an array.
 */
export async function executeTurn<Context>(
  state: SessionState<Context>,
  calls: readonly ToolCall[],
): Promise<readonly Outcome[]> {
  if (!Array.isArray(calls)) {
    throw new GateError('gate/options-invalid', 'The calls of a turn are an array.');
  }
  const { maxCallsPerTurn } = state.core.settings;
  const seen = new Set<string>();
  // Copied before any of them starts: a handler must not be able to change its siblings.
  const turn = Array.from<ToolCall, ToolCall>(calls, readCall);
  const outcomes = await Promise.all(
    turn.map((call, index) => {
      const refused = index >= maxCallsPerTurn ? 'call_limit' : refuseRepeated(seen, call.id);
      return new Promise<Outcome>((resolve) => {
        beginCall(state, { call, decision: undefined, refused }, resolve);
      });
    }),
  );
  return Object.freeze(outcomes);
}

/** A blank id is not a repeated one: it is refused for what it is. */
function refuseRepeated(seen: Set<string>, id: string): UnsuccessfulReason | undefined {
  if (id === '') return undefined;
  if (seen.has(id)) return 'call_id_duplicate';
  seen.add(id);
  return undefined;
}
