import type { LanguageModelV4FinishReason, LanguageModelV4Usage } from '@ai-sdk/provider';
import type { FinishReason, Usage } from '../call/model-response.ts';

/** The neutral finish of an answer that did not fail; whole calls decide over the word for a clean stop. */
export function toFinish(
  unified: Exclude<LanguageModelV4FinishReason['unified'], 'error' | 'interrupted'>,
  raw: string | undefined,
  hasCalls: boolean,
): FinishReason {
  switch (unified) {
    case 'length':
    case 'content-filter':
      return unified;
    case 'stop':
    case 'tool-calls':
      return hasCalls ? 'tool-calls' : 'stop';
    case 'other':
      return raw === 'pause_turn' ? 'paused' : 'unknown';
  }
}

/** Tokens as the provider counted them; what it did not count is `null`. */
export function toUsage({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage {
  return {
    inputTotal: inputTokens.total ?? null,
    cacheRead: inputTokens.cacheRead ?? null,
    cacheWrite: inputTokens.cacheWrite ?? null,
    outputTotal: outputTokens.total ?? null,
    reasoning: outputTokens.reasoning ?? null,
  };
}
