import { Agent, tool as openaiTool, Runner, setTracingDisabled, Usage } from '@openai/agents';
import { ANSWER, QUESTION, tool } from '../workload.mjs';

/** OpenAI Agents: `Runner.run` without tracing. */
export function openaiAgents({ turns }, script) {
  setTracingDisabled(true);
  const { name, description, zod } = tool;
  const declared = openaiTool({ name, description, parameters: zod, strict: true, execute: script.execute });
  const model = {
    getResponse: async ({ input }) => {
      const calls = script.next(input);
      return { usage: new Usage({ requests: 1, inputTokens: 10, outputTokens: 5, totalTokens: 15 }), output: outputOf(calls) };
    },
    getStreamedResponse: () => {
      throw new Error('the run is not streamed');
    },
  };
  const agent = new Agent({ name: 'bench', model, tools: [declared] });
  const runner = new Runner({ tracingDisabled: true });
  return async () => {
    const { finalOutput } = await runner.run(agent, QUESTION, { maxTurns: turns + 1 });
    return finalOutput;
  };
}

function outputOf(calls) {
  if (calls.length === 0) {
    const content = [{ type: 'output_text', text: ANSWER }];
    return [{ type: 'message', role: 'assistant', status: 'completed', content }];
  }
  return calls.map(({ id, name, text }) => {
    return { type: 'function_call', callId: id, name, status: 'completed', arguments: text };
  });
}
