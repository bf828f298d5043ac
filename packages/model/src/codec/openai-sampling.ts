import type { ModelCall, Sampling } from '../call/model-call.ts';
import type { LossLog } from './loss-log.ts';
import { gptGeneration, isOSeries } from './openai-generation.ts';

/** Settings that models of OpenAI refuse while they think, and the values that they have anyway. */
const REFUSED: Readonly<Record<string, number | undefined>> = {
  temperature: 1,
  topP: 1,
  frequencyPenalty: 0,
  presencePenalty: 0,
  stop: undefined,
};

/** How the words are drawn, without what the model would refuse the request for. */
export function openaiSampling({ model, sampling = {}, reasoning }: ModelCall, losses: LossLog): Sampling {
  if (!thinks(model, reasoning?.effort)) return sampling;
  const kept = Object.entries(sampling).filter(([name, value]) => {
    if (value === undefined || value === null || !Object.hasOwn(REFUSED, name)) return true;
    const severity = value === REFUSED[name] ? 'info' : 'warning';
    losses.add('dropped', `/sampling/${name}`, severity, 'the model takes no such setting while it thinks');
    return false;
  });
  return Object.fromEntries(kept);
}

/**
 * Whether a model of OpenAI thinks before it answers, by its name: the o series and GPT since 5, but for `gpt-5-chat`. GPT
 * 5.1 and its successors do not where they are told so, which 5.1 to 5.4 need not be; later generations refuse the settings
 * even then.
 */
function thinks(model: string, effort: string | null | undefined): boolean {
  if (isOSeries(model)) return true;
  const generation = gptGeneration(model) ?? 0;
  if (generation < 500 || generation >= 600) return generation >= 600;
  if (generation === 500) return !/gpt-5-chat\b/.test(model);
  const restsUntold = generation <= 504 && !/-(?:chat|codex|pro)\b/.test(model);
  return (effort ?? (restsUntold ? 'none' : undefined)) !== 'none';
}
