import type { JsonObject } from '@toolgate/core';
import type { Protocol } from '@toolgate/model';
import { expect, test } from 'vitest';
import { exchange } from '../../../test-support/ask-raw.ts';
import { turnEvents } from '../../../test-support/wire-samples.ts';

/** The messages that a server of Chat Completions is sent for a client's body. */
async function messagesOf(surface: Protocol, body: JsonObject) {
  const asked = {
    surface,
    backend: 'openai-chat',
    stream: false,
    turns: [turnEvents([])],
    bodies: [body],
  } as const;
  return exchange(asked, ({ answered, gateway, sent }) => {
    expect(answered.status).toBe(200);
    const losses = gateway.traffic[0]?.losses.map(({ path, severity }) => `${severity} ${path}`);
    return { messages: sent[0]?.['messages'], losses };
  });
}

test('the instructions of a client of Anthropic are one system message at the head', async () => {
  const system = ['a', 'b'].map((text) => ({ type: 'text', text }));
  const body = { model: 'm', max_tokens: 5, system, messages: [{ role: 'user', content: 'hi' }] };
  const { losses, messages } = await messagesOf('anthropic', body);
  expect(messages).toEqual([
    { role: 'system', content: 'a\n\nb' },
    { role: 'user', content: 'hi' },
  ]);
  expect(losses).toContain('info /instructions');
});

test('developers of a client of Responses speak as the system, in their place', async () => {
  const input = [
    { role: 'developer', content: 'b' },
    { role: 'user', content: 'hi' },
    { role: 'developer', content: 'c' },
    { role: 'user', content: 'go' },
  ];
  const { losses, messages } = await messagesOf('openai-responses', { model: 'm', instructions: 'a', input });
  expect(messages).toEqual([
    { role: 'system', content: 'a\n\nb' },
    { role: 'user', content: 'hi' },
    { role: 'system', content: 'c' },
    { role: 'user', content: 'go' },
  ]);
  expect(losses).toContain('info /items/1/role');
  const lone = await messagesOf('openai-responses', { model: 'm', input: input.slice(0, 2) });
  expect(lone.messages).toMatchObject([{ role: 'system', content: 'b' }, { role: 'user' }]);
});

test('a client of Chat Completions is passed on as it speaks', async () => {
  const messages = [
    { role: 'developer', content: 'a' },
    { role: 'system', content: 'b' },
    { role: 'user', content: 'hi' },
  ];
  expect(await messagesOf('openai-chat', { model: 'm', messages })).toEqual({ messages, losses: [] });
});
