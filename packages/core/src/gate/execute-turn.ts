import type { ToolCall } from '../tool/tool-call.ts';
import { beginCall } from './begin-call.ts';
import type { CallRun } from './call-run.ts';
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
  const { maxCallsPerTurn } = state.core.settings;
  const seen = new Set<string>();
  const turn = readTurn(calls);
  const runs = turn.map((call, index) => {
    const refused = index >= maxCallsPerTurn ? 'call_limit' : refuseRepeated(seen, call.id);
    return beginCall(state, call, undefined, refused);
  });
  const outcomes: Outcome[] = [];
  // Each ends by itself; none is waited for longer than the gate lets it run.
  for (const run of runs) outcomes.push(run.outcome ?? (await endOf(run)));
  return Object.freeze(outcomes);
}

/** Copied before any of them starts: a handler must not be able to change its siblings. */
function readTurn(calls: readonly ToolCall[]): readonly ToolCall[] {
  let cause: unknown;
  try {
    if (Array.isArray(calls)) return Array.from<ToolCall, ToolCall>(calls, readCall);
  } catch (thrown) {
    cause = thrown;
  }
  throw new GateError('gate/options-invalid', 'The calls of a turn are an array.', { cause });
}

function endOf<Context>(run: CallRun<Context>): Promise<Outcome> {
  return new Promise((resolve) => {
    run.onEnd(resolve);
  });
}

/** A blank id is not a repeated one: it is refused for what it is. */
function refuseRepeated(seen: Set<string>, id: string): UnsuccessfulReason | undefined {
  if (id === '') return undefined;
  if (seen.has(id)) return 'call_id_duplicate';
  seen.add(id);
  return undefined;
}
