import type { Ledger } from '../state/ledger.ts';
import type { RunOutcome } from '../state/run-outcome.ts';
import { callKey } from './call-key.ts';
import type { LoopRules } from './loop-rules.ts';
import type { Answer } from './read-answer.ts';
import { fixedOutcome } from './unsettled-outcome.ts';

const TOO_OFTEN = 'The call was not started: the tool was called as often as it may be in this run.';

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
    const limit = Object.hasOwn(maxCallsPerTool, call.name) ? maxCallsPerTool[call.name] : undefined;
    if (answer.repeated.has(call.id)) refused.set(call.id, fixedOutcome(call, 'call_id_duplicate'));
    else if (closing || choosable?.includes(call.name) === false)
      refused.set(call.id, fixedOutcome(call, 'tool_unavailable'));
    else if (maxCallsPerTurn !== null && index >= maxCallsPerTurn)
      refused.set(call.id, fixedOutcome(call, 'call_limit'));
    else if (limit !== undefined && ledger.callsOf(call.name) + (going.get(call.name) ?? 0) >= limit)
      refused.set(call.id, fixedOutcome(call, 'call_limit', TOO_OFTEN));
    // Somebody said no to this very call; nobody is asked again.
    else if (ledger.declined.size > 0 && ledger.declined.has(callKey(call)))
      refused.set(call.id, fixedOutcome(call, 'approval_declined'));
    else going.set(call.name, (going.get(call.name) ?? 0) + 1);
  });
  return refused;
}
