import type { JsonObject } from '@toolgate/core';
import { expect, test } from 'vitest';
import type { FunctionTool } from '../call/model-call.ts';
import type { Protocol } from '../call/protocol.ts';
import { codecOf } from './codecs.ts';

const TOOL: FunctionTool = {
  kind: 'function',
  name: 'find',
  description: 'Finds.',
  parameters: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } },
};

function namesSent(protocol: Protocol, tools: readonly FunctionTool[]): readonly string[] {
  const { body } = codecOf(protocol).encodeRequest({ model: 'm', items: [], tools }).value;
  const listed = body['tools'] as readonly JsonObject[];
  const declared = (listed[0]?.['functionDeclarations'] ?? listed) as readonly { readonly name: string }[];
  return declared.map(({ name }) => name);
}

test.each(['anthropic', 'gemini'] as const)(
  'a tool that is offered twice is offered to %s once',
  (protocol) => {
    const reordered = { type: 'object', properties: { b: { type: 'string' }, a: { type: 'string' } } };
    const tools = [TOOL, { ...TOOL, name: 'other' }, { ...TOOL, parameters: reordered }, TOOL];
    expect(namesSent(protocol, tools)).toEqual(['find', 'other']);
  },
);

test.each(['anthropic', 'gemini'] as const)(
  'two tools that differ are both sent to %s, which says so',
  (protocol) => {
    for (const other of [{ description: 'Loses.' }, { parameters: { type: 'object' } }])
      expect(namesSent(protocol, [TOOL, { ...TOOL, ...other }])).toEqual(['find', 'find']);
  },
);

test('OpenAI takes tools twice', () => {
  expect(
    codecOf('openai-chat').encodeRequest({ model: 'm', items: [], tools: [TOOL, TOOL] }).value.body,
  ).toMatchObject({
    tools: [{ function: { name: 'find' } }, { function: { name: 'find' } }],
  });
});
