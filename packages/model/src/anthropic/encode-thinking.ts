import type { JsonObject } from '@toolgate/core';
import type { ModelCall } from '../call/model-call.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { ANTHROPIC_DEFAULT_MAX_TOKENS } from './anthropic-protocol.ts';
import type { AnthropicEffort, AnthropicThinkingConfig } from './anthropic-wire.ts';
import { alwaysThinks, effortsOf, isSelfSteered } from './claude-generation.ts';

/** The least budget that the API takes; the budget must also be less than `max_tokens`. */
const MIN_BUDGET = 1024;

/** How a call's settings for length and thinking are said here. */
export interface ThinkingMembers {
  readonly maxTokens: number;
  readonly thinking?: AnthropicThinkingConfig;
  readonly effort?: AnthropicEffort;
}

/** The limit, the thinking mode and the effort, which depend on each other. `members` are the extensions of the call. */
export function encodeThinking(call: ModelCall, members: JsonObject, losses: LossLog): ThinkingMembers {
  const limit = call.limits?.maxOutputTokens;
  const effort = encodeEffort(call, members, losses);
  const thinking = encodeMode(call, members, losses);
  const budget = thinking?.type === 'enabled' ? thinking.budget_tokens : 0;
  if (typeof limit !== 'number') {
    losses.add('synthesised', '/limits/maxOutputTokens', 'warning', 'this protocol demands a limit');
  }
  return {
    maxTokens: typeof limit === 'number' ? limit : budget + ANTHROPIC_DEFAULT_MAX_TOKENS,
    ...(thinking === undefined ? {} : { thinking }),
    ...(effort === undefined ? {} : { effort }),
  };
}

function encodeMode(
  call: ModelCall,
  members: JsonObject,
  losses: LossLog,
): AnthropicThinkingConfig | undefined {
  const { budgetTokens, summary, effort } = call.reasoning ?? {};
  const own = Object.hasOwn(members, 'thinking');
  if (effort === 'none' && !own) {
    if (budgetTokens !== undefined)
      losses.add('dropped', '/reasoning/budgetTokens', 'info', 'no thinking needs no budget');
    if (summary !== undefined)
      losses.add('dropped', '/reasoning/summary', 'info', 'no thinking has no thoughts to show');
    return alwaysThinks(call.model) ? undefined : { type: 'disabled' };
  }
  const budget = own ? undefined : fitBudget(call, losses);
  if (budget === undefined) {
    if (summary !== undefined)
      losses.add('dropped', '/reasoning/summary', 'info', 'thoughts are asked for with a budget here');
    return undefined;
  }
  const display = toDisplay(summary, losses);
  if (!isSelfSteered(call.model)) return { type: 'enabled', budget_tokens: budget, ...display };
  losses.add('approximated', '/reasoning/budgetTokens', 'warning', 'the model decides how much it thinks');
  return { type: 'adaptive', ...display };
}

function fitBudget(call: ModelCall, losses: LossLog): number | undefined {
  const wanted = call.reasoning?.budgetTokens;
  const path = '/reasoning/budgetTokens';
  if (wanted === undefined) return undefined;
  if (wanted === null) {
    losses.add('approximated', path, 'info', 'null and absent are the same here');
    return undefined;
  }
  const mode = call.toolChoice?.mode;
  if (mode === 'any' || mode === 'named') {
    losses.add('dropped', path, 'warning', 'the API refuses a forced call together with a thinking budget');
    return undefined;
  }
  const limit = call.limits?.maxOutputTokens;
  const most = typeof limit === 'number' ? limit - 1 : Number.POSITIVE_INFINITY;
  if (most < MIN_BUDGET) {
    losses.add('dropped', path, 'warning', 'the limit of the answer leaves no room for a thinking budget');
    return undefined;
  }
  const budget = Math.min(Math.max(wanted, MIN_BUDGET), most);
  if (budget !== wanted)
    losses.add('approximated', path, 'warning', 'the budget was outside of what the API takes');
  return budget;
}

function toDisplay(
  summary: string | null | undefined,
  losses: LossLog,
): { readonly display?: 'summarized' | 'omitted' | null } {
  if (summary === undefined) return {};
  if (summary === null || summary === 'summarized' || summary === 'omitted') return { display: summary };
  losses.add('approximated', '/reasoning/summary', 'info', 'thoughts are shown in one way here');
  return { display: 'summarized' };
}

const EFFORTS: readonly string[] = ['minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

function encodeEffort(call: ModelCall, members: JsonObject, losses: LossLog): AnthropicEffort | undefined {
  const effort = call.reasoning?.effort;
  if (effort === 'none' && alwaysThinks(call.model) && !Object.hasOwn(members, 'thinking')) {
    losses.add(
      'approximated',
      '/reasoning/effort',
      'warning',
      'the model always thinks; the least effort is low',
    );
    return 'low';
  }
  if (effort === undefined || effort === 'none') return undefined;
  const path = '/reasoning/effort';
  if (effort === null || !EFFORTS.includes(effort)) {
    losses.add('dropped', path, effort === null ? 'info' : 'warning', 'an effort that is not known here');
    return undefined;
  }
  const taken = effortsOf(call.model);
  const rank = EFFORTS.indexOf(effort);
  const nearest = taken.find((one) => EFFORTS.indexOf(one) >= rank) ?? taken.at(-1);
  if (nearest === undefined) losses.add('dropped', path, 'warning', 'the model takes no effort');
  else if (nearest !== effort) losses.add('approximated', path, 'info', 'the model takes other efforts');
  return nearest;
}
