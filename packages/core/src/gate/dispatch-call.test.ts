import { expect, test } from 'vitest';
import { defineTool } from '../tool/define-tool.ts';
import { guard } from '../tool/guard.ts';
import { textOutput } from '../tool/make-output.ts';
import type { Tool } from '../tool/tool.ts';
import { createGate } from './create-gate.ts';

test('a tool that is handed an invocation cannot change it', async () => {
  const seen: unknown[] = [];
  const definition = { name: 'put', description: '', inputSchema: { type: 'object' } };
  const plain: Tool = {
    definition: () => definition,
    call: async (invocation) => {
      seen.push([
        Object.isFrozen(invocation),
        Reflect.set(invocation, 'arguments', () => ({ role: 'admin' })),
      ]);
      return textOutput('');
    },
  };
  const declared = defineTool({
    name: 'put',
    description: '',
    input: { type: 'object' },
    execute: () => 'ran',
  });
  const decorated: Tool = {
    definition: () => declared.definition(),
    call: async (invocation, call) => {
      seen.push([
        Object.isFrozen(invocation),
        Reflect.set(invocation, 'arguments', () => ({ role: 'admin' })),
      ]);
      return declared.call(invocation, call);
    },
  };
  const outcomes = [plain, decorated, guard({ tool: plain, authorizer: () => true })].map(async (tool) => {
    const session = await createGate({ tools: [tool] }).open();
    return (await session.execute({ id: 'c1', name: 'put', arguments: '{}' })).reason;
  });
  expect(await Promise.all(outcomes)).toEqual(['completed', 'completed', 'completed']);
  expect(seen).toEqual(Array.from({ length: 3 }, () => [true, false]));
});
