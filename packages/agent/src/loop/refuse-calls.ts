import type { Ledger } from '../state/ledger.ts';
import type { RunOutcome } from '../state/run-outcome.ts';
import { callKey } from './call-key.ts';
import type { LoopRules } from './loop-rules.ts';
import type { Answer } from './read-answer.ts';
import { fixedOutcome } from './unsettled-outcome.ts';

const TOO_OFTEN = 'The call was not started: the tool was called as often as it may be in this run.';
/** Those before it may still come to nothing, and then it was not the last one. */
const TAKEN =
  'The call was not started: with the calls before it in this turn the tool is called as often as it may be in this run. If one of them did not run, call it again.';

/**
 * Calls of an answer that are refused before they reach the gate, by id.
 *
 * @param closing - The model was asked for no call at all.
 */
export function refuseCalls(
  answer: Answer,
  closing: boolean,
  ledger: Ledger,
  rules: LoopRules,
): ReadonlyMap<string, RunOutcome> {
  const { maxCallsPerTurn, maxCallsPerTool, choosable } = rules;
  const refused = new Map<string, RunOutcome>();
  // What may come of the others is not known yet: each of this turn takes a place.
  const going = new Map<string, number>();
  answer.calls.forEach((call, index) => {
    const reserved = going.get(call.name) ?? 0;
    const limit = Object.hasOwn(maxCallsPerTool, call.name) ? maxCallsPerTool[call.name] : undefined;
    if (answer.repeated.has(call.id)) refused.set(call.id, fixedOutcome(call, 'call_id_duplicate'));
    else if (closing || choosable?.includes(call.name) === false)
      refused.set(call.id, fixedOutcome(call, 'tool_unavailable'));
    else if (maxCallsPerTurn !== null && index >= maxCallsPerTurn)
      refused.set(call.id, fixedOutcome(call, 'call_limit'));
    else if (limit !== undefined && ledger.callsOf(call.name) >= limit)
      refused.set(call.id, fixedOutcome(call, 'call_limit', TOO_OFTEN));
    else if (limit !== undefined && ledger.callsOf(call.name) + reserved >= limit)
      refused.set(call.id, fixedOutcome(call, 'call_limit', TAKEN));
    // Somebody said no to this very call; nobody is asked again.
    else if (ledger.declined.size > 0 && ledger.declined.has(callKey(call)))
      refused.set(call.id, fixedOutcome(call, 'approval_declined'));
    else going.set(call.name, reserved + 1);
  });
  return refused;
}
