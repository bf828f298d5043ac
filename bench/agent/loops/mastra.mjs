import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { MockLanguageModelV4 } from 'ai/test';
import { QUESTION, tool } from '../workload.mjs';
import { modelOptions } from './ai-sdk-model.mjs';

/** Mastra: `Agent.generate`. */
export function mastra({ turns }, script) {
  const { name, description, zod } = tool;
  const declared = createTool({ id: name, description, inputSchema: zod, execute: async (input) => script.execute(input) });
  const options = modelOptions(script);
  const agent = new Agent({
    id: 'bench',
    name: 'bench',
    instructions: 'Answer.',
    // The mock keeps every request that it ever got; a new one for each run keeps the heap flat.
    model: () => new MockLanguageModelV4(options),
    tools: { [name]: declared },
  });
  return async () => {
    const { text } = await agent.generate(QUESTION, { maxSteps: turns + 1 });
    return text;
  };
}
