import { createGate, defineTool, type Gate } from '@toolgate/core';
import type { AgentConfig } from '../src/agent-config.ts';
import { createAgent } from '../src/create-agent.ts';
import type { RunResult } from '../src/run-result.ts';
import { call, type RawModel, type RawTurn, rawModel } from './raw-model.ts';

/** A gate whose only tool counts, so that a test can say what did not run. */
export function counting(): { readonly ran: readonly unknown[]; readonly gate: Gate } {
  const ran: unknown[] = [];
  const add = defineTool({
    name: 'add',
    description: 'Adds.',
    input: {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'integer' } },
      required: ['a', 'b'],
    } as const,
    execute: ({ a, b }) => {
      ran.push([a, b]);
      return a + b;
    },
  });
  return { ran, gate: createGate({ tools: [add] }) };
}

/** A run of a raw model over the counting gate. */
export async function runOn(
  turns: readonly RawTurn[],
  options: Partial<AgentConfig> = {},
): Promise<{ readonly ran: readonly unknown[]; readonly model: RawModel; readonly result: RunResult }> {
  const { ran, gate } = counting();
  const model = rawModel(...turns);
  const result = await createAgent({ model, gate, ...options }).run('go');
  return { ran, model, result };
}

/** A finished call that is right. */
export const good: readonly unknown[] = call(0, 'add', '{"a":1,"b":2}');
