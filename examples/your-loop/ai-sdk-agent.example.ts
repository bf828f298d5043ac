// #region agent
import { createAgent, type RunResult } from '@toolgate/agent';
import type { Gate } from '@toolgate/core';
import { fromAiSdk } from '@toolgate/model/ai-sdk';

/** Any language model of the AI SDK, under the loop of `@toolgate/agent`. */
function ask(
  languageModel: Parameters<typeof fromAiSdk>[0],
  gate: Gate,
  question: string,
): Promise<RunResult> {
  const agent = createAgent({ model: fromAiSdk(languageModel), gate });
  return agent.run(question, { context: undefined, principal: 'ada' });
}

// #endregion

export { ask };
