import { expect, test } from 'vitest';
import { z } from 'zod';
import { createGate } from '../gate/create-gate.ts';
import { defineTool } from './define-tool.ts';

test('a default that a function makes anew is made for each call, and nobody says that it was filled in', async () => {
  const seen: { readonly id: string; readonly form: string }[] = [];
  const tool = defineTool({
    name: 't',
    description: 'd',
    input: z.object({
      id: z.string().default(() => crypto.randomUUID()),
      form: z.string().default('short'),
    }),
    execute: (input) => void seen.push(input),
  });
  const session = await createGate({ tools: [tool] }).open({ context: {} });
  expect(session.definitions[0]?.inputSchema).toMatchObject({
    properties: { id: { type: 'string' }, form: { default: 'short' } },
  });
  for (const id of ['1', '2']) {
    const outcome = await session.execute({ id, name: 't', arguments: '{}' });
    expect(outcome).toMatchObject({ kind: 'completed', filled: ['/form'] });
  }
  expect(seen.map(({ form }) => form)).toEqual(['short', 'short']);
  expect(new Set(seen.map(({ id }) => id)).size).toBe(2);
});
