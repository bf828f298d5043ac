import type { JsonObject } from '@toolgate/core';
import type { ModelCall } from '../call/model-call.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { generationOf } from './gemini-protocol.ts';

interface Amount {
  readonly thinkingLevel?: string;
  readonly thinkingBudget?: number;
}

/** How much a model thinks, and whether it shows it. Generation 2.5 knows budgets alone, and older ones think nothing. */
export function encodeThinking({ model, reasoning }: ModelCall, losses: LossLog): JsonObject {
  if (!reasoning) return {};
  for (const name of ['budgetTokens', 'effort', 'summary'] as const) {
    if (reasoning[name] === null)
      losses.add('approximated', `/reasoning/${name}`, 'info', 'null and absent are the same here');
  }
  const generation = generationOf(model);
  if (generation !== undefined && generation < 2.5) {
    if (reasoning.effort !== 'none')
      losses.add('dropped', '/reasoning', 'warning', 'the model does not think');
    return {};
  }
  const thinking: JsonObject = {
    ...encodeAmount(model, reasoning, losses),
    ...encodeSummary(reasoning.summary, losses),
  };
  return Object.keys(thinking).length === 0 ? {} : { thinkingConfig: thinking };
}

function encodeSummary(summary: string | null | undefined, losses: LossLog): { includeThoughts?: boolean } {
  if (typeof summary !== 'string') return {};
  if (summary !== 'auto' && summary !== 'omitted')
    losses.add('approximated', '/reasoning/summary', 'info', 'thoughts are shown in one way here');
  return { includeThoughts: summary !== 'omitted' };
}

type Reasoning = NonNullable<ModelCall['reasoning']>;

/** The API takes a level or a budget, and each generation one of them. */
function encodeAmount(model: string, { effort, budgetTokens }: Reasoning, losses: LossLog): Amount {
  const budget = typeof budgetTokens === 'number' ? { thinkingBudget: budgetTokens } : undefined;
  if (typeof effort !== 'string') return budget ?? {};
  const generation = generationOf(model);
  // Whoever knows levels takes a budget as well, and it says the same more exactly; the other way round it is refused.
  if (budget !== undefined && (generation === undefined || generation < 3)) return budget;
  if (generation !== undefined && generation < 3) return encodeBudget(model, effort, losses);
  const least = generation === undefined ? undefined : leastLevel(model, generation);
  const level = encodeLevel(effort, { budget: budgetTokens, least }, losses);
  if (budget === undefined) return level;
  losses.add(
    'dropped',
    '/reasoning/budgetTokens',
    'info',
    'the model takes a level or a budget, and not both',
  );
  return level;
}

const BUDGETS: ReadonlyMap<string, number> = new Map([
  ['minimal', 1_024],
  ['low', 1_024],
  ['medium', 8_192],
  ['high', 24_576],
  ['xhigh', 24_576],
  ['max', 24_576],
]);

/** The budget for an effort, as the provider's own compatibility layer has it. */
function encodeBudget(model: string, effort: string, losses: LossLog): Amount {
  const path = '/reasoning/effort';
  if (effort === 'none') {
    if (!/-pro\b/.test(model)) {
      losses.add('approximated', '/reasoning', 'info', 'no thinking is a budget of nothing here');
      return { thinkingBudget: 0 };
    }
    losses.add('approximated', path, 'warning', 'the model always thinks; this is the least budget');
    return { thinkingBudget: 128 };
  }
  const budget = BUDGETS.get(effort);
  if (budget === undefined) {
    losses.add('dropped', path, 'warning', 'an effort that is not known here');
    return {};
  }
  losses.add('approximated', path, 'info', 'an effort is a budget for this model');
  return { thinkingBudget: budget };
}

const LEVELS: ReadonlyMap<string, string> = new Map([
  ['minimal', 'MINIMAL'],
  ['low', 'LOW'],
  ['medium', 'MEDIUM'],
  ['high', 'HIGH'],
]);

/** The least level that a model takes: the lowest one is refused by those for hard work and by others since 3.6. */
function leastLevel(model: string, generation: number): string {
  return /-lite\b/.test(model) || (generation < 3.6 && !/-pro\b/.test(model)) ? 'MINIMAL' : 'LOW';
}

/**
 * The level for an effort. No thinking is a budget of nothing; efforts above the highest level are that level.
 *
 * @param least - The least level, where it is known; such a model always thinks.
 */
function encodeLevel(
  effort: string,
  { budget, least }: { readonly budget: number | null | undefined; readonly least: string | undefined },
  losses: LossLog,
): Amount {
  const path = '/reasoning/effort';
  if (effort === 'none' && least !== undefined) {
    losses.add('approximated', path, 'warning', 'the model always thinks; this is the least level');
    return { thinkingLevel: least };
  }
  if (effort === 'minimal' && least === 'LOW') {
    losses.add('approximated', path, 'info', 'the least level of the model is low');
    return { thinkingLevel: least };
  }
  const level = LEVELS.get(effort);
  if (level !== undefined) return { thinkingLevel: level };
  if (effort === 'none') {
    losses.add('approximated', '/reasoning', 'info', 'no thinking is a budget of nothing here');
    return typeof budget === 'number' ? {} : { thinkingBudget: 0 };
  }
  if (effort === 'xhigh' || effort === 'max') {
    losses.add('approximated', path, 'info', 'the highest level is high here');
    return { thinkingLevel: 'HIGH' };
  }
  if (/^[a-z]+(?:_[a-z]+)*$/.test(effort)) return { thinkingLevel: effort.toUpperCase() };
  losses.add('dropped', path, 'warning', 'an effort that is not known here');
  return {};
}
