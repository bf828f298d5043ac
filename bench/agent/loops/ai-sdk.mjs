import { tool as aiTool, generateText, isStepCount, zodSchema } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { QUESTION, tool } from '../workload.mjs';
import { modelOptions } from './ai-sdk-model.mjs';

/** AI SDK: `generateText`. */
export function aiSdk({ turns }, script) {
  const { name, description, zod } = tool;
  const tools = { [name]: aiTool({ description, inputSchema: zodSchema(zod), execute: script.execute }) };
  const options = modelOptions(script);
  return async () => {
    // The mock keeps every request that it ever got; a new one for each run keeps the heap flat.
    const model = new MockLanguageModelV4(options);
    const { text } = await generateText({ model, tools, prompt: QUESTION, stopWhen: isStepCount(turns + 1) });
    return text;
  };
}
