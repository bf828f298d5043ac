import type { ModelCall } from '../call/model-call.ts';
import type { LossLog } from './loss-log.ts';
import { gptGeneration, isOSeries } from './openai-generation.ts';
import { readBudget } from './read-budget.ts';

/** Efforts from the least to the most. */
const RANKS: readonly string[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/**
 * The call with the effort that a model of OpenAI takes, by its name: each generation refuses some of them, and models that
 * do not think refuse any. What is asked of other models stays as it is.
 */
export function fitEffort(given: ModelCall, losses: LossLog): ModelCall {
  const call = readBudget(given, losses);
  const { reasoning, ...rest } = call;
  if (!reasoning) return call;
  const taken = effortsOf(call.model);
  if (taken === undefined) return call;
  const { effort } = reasoning;
  if (taken.length === 0) {
    const severity = effort === 'none' ? 'info' : 'warning';
    losses.add('dropped', '/reasoning', severity, 'the model takes no effort');
    return rest;
  }
  if (typeof effort !== 'string' || taken.includes(effort) || !RANKS.includes(effort)) return call;
  const nearest = taken.find((one) => RANKS.indexOf(one) > RANKS.indexOf(effort)) ?? taken.at(-1);
  const severity = effort === 'none' ? 'warning' : 'info';
  losses.add('approximated', '/reasoning/effort', severity, 'the model takes other efforts');
  return { ...rest, reasoning: { ...reasoning, ...(nearest === undefined ? {} : { effort: nearest }) } };
}

const MIDDLE = ['low', 'medium', 'high'] as const;

/** Efforts that a model takes; none where it does not think, `undefined` where nothing is known. */
function effortsOf(model: string): readonly string[] | undefined {
  if (isOSeries(model)) return MIDDLE;
  const generation = gptGeneration(model);
  if (generation === undefined) return undefined;
  if (generation < 500 || /-(?:chat|search)\b/.test(model)) return [];
  const isPro = /-pro\b/.test(model);
  const isCodex = /-codex\b/.test(model);
  if (generation === 500) {
    if (isPro) return ['high'];
    return isCodex ? MIDDLE : ['minimal', ...MIDDLE];
  }
  const most = [
    ...(generation >= 502 || /-codex-max\b/.test(model) ? ['xhigh'] : []),
    ...(generation >= 506 ? ['max'] : []),
  ];
  if (isPro) return ['medium', 'high', ...most];
  return [...(isCodex || /-astra\b/.test(model) ? [] : ['none']), ...MIDDLE, ...most];
}
