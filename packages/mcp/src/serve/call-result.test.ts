import {
  createGate,
  defineTool,
  Failure,
  type SettledOutcome,
  type ToolDefinition,
  textOutput,
} from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import { callResult } from './call-result.ts';

/** What a gate makes of one call of a tool that declares its output. */
async function outcomeOf(
  execute: () => unknown,
): Promise<readonly [SettledOutcome, ToolDefinition | undefined]> {
  const find = defineTool({
    name: 'find',
    description: '',
    input: { type: 'object' },
    output: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    resultBudget: { bytes: 300, overflow: 'truncate' },
    // What breaks its own declaration is not what its type says.
    execute: () => execute() as { id: string },
  });
  const session = await createGate({ tools: [find] }).open();
  const outcome = await session.execute({ id: 'c', name: 'find', arguments: '{}' });
  await session.close();
  if (outcome.kind === 'suspended') throw new Error('Nobody asked for a decision.');
  return [outcome, session.definitions[0]];
}

describe('the answer of a tool that declares its output', () => {
  test('has the structure of a result that stands', async () => {
    expect(callResult(...(await outcomeOf(() => ({ id: 'a' }))))).toEqual({
      content: [{ type: 'text', text: '{"id":"a"}' }],
      structuredContent: { id: 'a' },
    });
  });

  test.each([
    [
      'failed',
      () => {
        throw new Failure({ kind: 'failed', output: textOutput('not found'), cause: 'x' });
      },
      'not found',
    ],
    [
      'was refused by the tool',
      () => {
        throw new Failure({ kind: 'rejected', output: textOutput('not yours') });
      },
      'not yours',
    ],
    ['broke its own schema', () => ({ error: 'not found' }), 'The tool failed.'],
  ])('is text and nothing else when the call %s', async (_name, execute, text) => {
    expect(callResult(...(await outcomeOf(execute)))).toEqual({
      content: [{ type: 'text', text }],
      isError: true,
    });
  });

  test('says that the tool completed when its structure was too large to be given', async () => {
    const result = callResult(...(await outcomeOf(() => ({ id: 'x'.repeat(1_000) }))));
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: 'The tool completed. Its structured result was too large and was left out.' }, {}],
    });
    expect(result).not.toHaveProperty('structuredContent');
  });
});
