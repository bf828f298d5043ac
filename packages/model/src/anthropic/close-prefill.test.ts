import type { JsonObject } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import type { Item } from '../call/item.ts';
import { PROTOCOLS } from '../call/protocol.ts';
import { codecOf } from '../codec/codecs.ts';

const said = (role: 'user' | 'assistant', text: string): Item => ({
  kind: 'message',
  role,
  parts: [{ kind: 'text', text }],
});
const CALL: Item = { kind: 'tool-call', callId: 'c1', name: 'find', arguments: '{}' };
const RESULT: Item = { kind: 'tool-result', callId: 'c1', parts: [{ kind: 'text', text: 'ok' }] };
const OWN_TOOL: Item = {
  kind: 'foreign',
  role: 'assistant',
  protocol: 'anthropic',
  value: { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
};

interface Message {
  readonly role: string;
  readonly content: readonly JsonObject[];
}

function encoded(model: string, items: readonly Item[]) {
  const { losses, value } = codecOf('anthropic').encodeRequest({
    model,
    items,
    limits: { maxOutputTokens: 50 },
  });
  return { messages: value.body['messages'] as unknown as readonly Message[], losses };
}

const CUT_OFF = [said('user', 'hi'), said('assistant', 'Half a \n')];

describe('a conversation that ends with what the model said', () => {
  test.each([
    ['claude-opus-4-6', true],
    ['claude-sonnet-4-6-20260217', true],
    ['us.anthropic.claude-opus-4-8-v1:0', true],
    ['anthropic/claude-4.7-opus', true],
    ['claude-sonnet-5', true],
    ['claude-mythos-preview', true],
    ['claude-sonnet-4-5-20250929', false],
    ['claude-opus-4-20250514', false],
    ['claude-3-7-sonnet-20250219', false],
    ['the-model-of-a-route', false],
  ])('is one that %s can go on with', (model, closed) => {
    const { losses, messages } = encoded(model, CUT_OFF);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', ...(closed ? ['user'] : [])]);
    // Every word stays; only a text that is continued ends without white space.
    expect(messages[1]?.content).toEqual([{ type: 'text', text: closed ? 'Half a \n' : 'Half a' }]);
    expect(losses.filter(({ severity }) => severity === 'warning').map(({ code }) => code)).toEqual(
      closed ? ['synthesised'] : [],
    );
  });

  test.each<[string, readonly Item[]]>([
    ['ends with a result', [said('user', 'hi'), CALL, RESULT]],
    ['ends with the user', [...CUT_OFF, said('user', 'go on')]],
    [
      'was broken off in the middle of a tool of the API',
      [said('user', 'hi'), said('assistant', 'I look'), OWN_TOOL],
    ],
  ])('one that %s stays as it is', (_, items) => {
    const { losses, messages } = encoded('claude-opus-4-6', items);
    expect(JSON.stringify(messages)).not.toContain('nothing was said');
    expect(losses.filter(({ code }) => code === 'synthesised')).toEqual([]);
  });

  test.each(PROTOCOLS)('comes from a client of %s', (protocol) => {
    const { body } = codecOf(protocol).encodeRequest({ model: 'm', items: CUT_OFF }).value;
    const { items } = codecOf(protocol).decodeRequest(body, { model: 'm' }).value;
    expect(encoded('claude-opus-4-6', items).messages.at(-1)?.role).toBe('user');
  });
});
