import type { ModelCall } from '../call/model-call.ts';
import type { LossLog } from './loss-log.ts';

/** The call with a budget of nothing as what it asks for, which is no thinking; a protocol without budgets can say that too. */
export function readBudget(call: ModelCall, losses: LossLog): ModelCall {
  const { reasoning } = call;
  if (reasoning?.budgetTokens !== 0 || typeof reasoning.effort === 'string') return call;
  const { budgetTokens: _nothing, ...rest } = reasoning;
  losses.add('approximated', '/reasoning', 'info', 'a budget of nothing asks for no thinking');
  return { ...call, reasoning: { ...rest, effort: 'none' } };
}
