// Ways from argument text to result text: the floor, ours, and the narrowest public one of each peer.
import { executeTool, safeParseJSON } from '@ai-sdk/provider-utils';
import { parseToolCall } from '@langchain/core/output_parsers/openai_tools';
import { tool as langchainTool } from '@langchain/core/tools';
import { createTool } from '@mastra/core/tools';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import { RunContext, tool as openaiTool } from '@openai/agents';
import { tool as aiTool, zodSchema } from 'ai';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { createGate, createScope, defineTool } from '../../packages/core/dist/index.js';

/**
 * A way to execute one call. `call` gives the text that a model would get; for arguments that are refused it gives
 * `undefined`, or throws.
 *
 * @typedef {object} Path
 * @property {(text: string) => string | undefined | Promise<string | undefined>} call
 * @property {() => Promise<unknown>} [close]
 */

/** Hand-inlined and without a single guard: what the engine itself costs. */
export function floor({ schema, run }) {
  const validate = new Ajv2020({ useDefaults: true }).compile(schema);
  return {
    call: (text) => {
      const input = JSON.parse(text);
      return validate(input) ? JSON.stringify(run(input)) : undefined;
    },
  };
}

/** The whole gate: strict JSON, schema, scope, order, deadline, output check, budget, outcome. */
export function toolgate(workload) {
  return gated(workload, workload.run, {});
}

/** The same with a handler that takes its time, so that deadline and cancellation are armed. */
export function toolgateAsync(workload) {
  return gated(workload, async (input) => workload.run(input), {});
}

/** The same with an approval and an observer for each call. */
export function toolgateGuarded(workload) {
  const scope = createScope({ approve: () => 'allow' });
  return gated(workload, async (input) => workload.run(input), { scope, observe: () => {} });
}

async function gated({ tool, schema }, execute, options) {
  const profile = { class: 'read' };
  const declared = defineTool({ name: tool, description: 'Measured.', input: schema, profile, execute });
  const session = await createGate({ tools: [declared], ...options }).open();
  return {
    call: async (text) => {
      const outcome = await session.execute({ id: 'call_1', name: tool, arguments: text });
      return outcome.kind === 'completed' ? outcome.output.text() : undefined;
    },
    close: () => session.close(),
  };
}

/** AI SDK: what `generateText` does with one call, without the loop around it. */
export function aiSdk({ zod, run }) {
  const schema = zodSchema(zod);
  const declared = aiTool({ description: 'Measured.', inputSchema: schema, execute: run });
  const options = { toolCallId: 'call_1', messages: [], context: undefined };
  return {
    call: async (text) => {
      const parsed = await safeParseJSON({ text, schema });
      if (!parsed.success) return undefined;
      let output;
      for await (const part of executeTool({ tool: declared, input: parsed.value, options })) output = part.output;
      return JSON.stringify(output);
    },
  };
}

/** OpenAI Agents: `tool.invoke`. */
export function openaiAgents({ tool, zod, run }) {
  const refused = Symbol('refused');
  const declared = openaiTool({
    name: tool.replaceAll('-', '_'),
    description: 'Measured.',
    parameters: zod,
    strict: true,
    errorFunction: () => refused,
    execute: run,
  });
  const context = new RunContext();
  return {
    call: async (text) => {
      const output = await declared.invoke(context, text);
      return output === refused ? undefined : JSON.stringify(output);
    },
  };
}

/** LangChain: `parseToolCall`, then `tool.invoke`. */
export function langchain({ tool, zod, run }) {
  const declared = langchainTool((input) => JSON.stringify(run(input)), { name: tool, description: 'Measured.', schema: zod });
  return {
    call: async (text) => {
      const call = parseToolCall({ id: 'call_1', type: 'function', function: { name: tool, arguments: text } }, { returnId: true });
      const message = await declared.invoke({ ...call, type: 'tool_call' });
      return message.content;
    },
  };
}

/** MCP: a client and a server of the official packages in one process. */
export async function mcp({ tool, zod, run }) {
  const server = new McpServer({ name: 'bench', version: '1.0.0' });
  server.registerTool(tool, { description: 'Measured.', inputSchema: zod }, async (input) => ({
    content: [{ type: 'text', text: JSON.stringify(run(input)) }],
  }));
  const client = new Client({ name: 'bench', version: '1.0.0' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  return {
    call: async (text) => {
      const result = await client.callTool({ name: tool, arguments: JSON.parse(text) });
      return result.isError === true ? undefined : result.content[0].text;
    },
    close: () => client.close(),
  };
}

/** Mastra: `tool.execute`, which starts from a parsed value. */
export function mastra({ tool, zod, run }) {
  const declared = createTool({ id: tool, description: 'Measured.', inputSchema: zod, execute: async (input) => run(input) });
  return {
    call: async (text) => {
      const output = await declared.execute(JSON.parse(text), {});
      return output?.error === true ? undefined : JSON.stringify(output);
    },
  };
}
