import type { JsonObject } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import type { ModelCall } from '../call/model-call.ts';
import { PROTOCOLS, type Protocol } from '../call/protocol.ts';
import { codecOf } from './codecs.ts';

const MEMBERS = ['tools', 'tool_choice', 'parallel_tool_calls', 'toolConfig'];

function toolMembers(protocol: Protocol, part: Partial<ModelCall>): readonly string[] {
  const call: ModelCall = {
    model: 'm',
    items: [{ kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'hi' }] }],
    ...part,
  };
  const { body } = codecOf(protocol).encodeRequest(call).value;
  return MEMBERS.filter((name) => Object.hasOwn(body, name));
}

describe.each(PROTOCOLS)('a request of %s that offers no tools', (protocol) => {
  test.each<[string, Partial<ModelCall>]>([
    ['an empty list', { tools: [] }],
    ['an empty list and a free choice', { tools: [], toolChoice: { mode: 'auto' } }],
    ['a free choice alone', { toolChoice: { mode: 'auto' } }],
    ['the choice of none', { tools: [], toolChoice: { mode: 'none' } }],
    ['one call at a time', { parallelToolCalls: false }],
    ['several calls at once', { tools: null, toolChoice: { mode: 'auto' }, parallelToolCalls: true }],
  ])('says nothing of tools for %s', (_, part) => {
    expect(toolMembers(protocol, part)).toEqual([]);
  });

  test('keeps a choice that demands a call, so that nobody takes an answer without one for an obedient one', () => {
    expect(toolMembers(protocol, { tools: [], toolChoice: { mode: 'any' } })).toHaveLength(1);
  });

  test('says what is offered as it was', () => {
    const parameters: JsonObject = { type: 'object', properties: {} };
    const tools: ModelCall['tools'] = [{ kind: 'function', name: 'find', parameters }];
    expect(toolMembers(protocol, { tools, toolChoice: { mode: 'auto' } })).toHaveLength(2);
  });
});

test('a stored prompt of Responses brings tools of its own, of which a choice may speak', () => {
  const body = {
    model: 'm',
    input: 'hi',
    prompt: { id: 'p' },
    tool_choice: 'auto',
    parallel_tool_calls: false,
  };
  const codec = codecOf('openai-responses');
  expect(codec.encodeRequest(codec.decodeRequest(body).value).value.body).toMatchObject({
    tool_choice: 'auto',
    parallel_tool_calls: false,
  });
});
