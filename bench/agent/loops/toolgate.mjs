import { createAgent } from '../../../packages/agent/dist/index.js';
import { createGate, defineTool } from '../../../packages/core/dist/index.js';
import { ANSWER, QUESTION, tool } from '../workload.mjs';

/** The whole agent: event stream, strict JSON, schema, scope, order, deadline, budget, limits, outcomes. */
export function toolgate({ turns, callsPerTurn }, script) {
  const { name, description, schema } = tool;
  const profile = { class: 'read' };
  const declared = defineTool({ name, description, input: schema, profile, execute: script.execute });
  const gate = createGate({ tools: [declared] });
  const limits = { maxTurns: turns + 1, maxCallsPerTurn: callsPerTurn };
  const agent = createAgent({ model: createModel(script), gate, limits });
  return async () => {
    const { stopReason, text } = await agent.run(QUESTION);
    if (stopReason !== 'answer') throw new Error(`the run stopped: ${stopReason}`);
    return text;
  };
}

function createModel(script) {
  return {
    id: 'scripted',
    capabilities: new Set(['tools', 'streaming', 'parallel_tool_calls']),
    async *stream(request) {
      const calls = script.next(request.items);
      yield { kind: 'response-start', id: 'r', model: 'scripted' };
      let index = 0;
      for (const { id: callId, name, text } of calls) {
        yield { kind: 'call-start', index, callId, name };
        yield { kind: 'call-delta', index, delta: text };
        yield { kind: 'call-end', index, callId, name, arguments: text };
        index++;
      }
      if (calls.length === 0) {
        yield { kind: 'text-start', index };
        yield { kind: 'text-delta', index, text: ANSWER };
        yield { kind: 'text-end', index };
      }
      yield {
        kind: 'usage',
        usage: { inputTotal: 10, cacheRead: null, cacheWrite: null, outputTotal: 5, reasoning: null },
      };
      yield { kind: 'response-end', finish: calls.length === 0 ? 'stop' : 'tool-calls' };
    },
  };
}
