import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import type { ApprovalRequest, GateSession } from '@toolgate/core';
import { createProviderServer, type ProviderServer, type ProviderServerConfig } from '@toolgate/testing/node';
import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runText, toPart } from './ai-sdk.example.ts';
import { ask } from './ai-sdk-agent.example.ts';
import { runMessages, toResult } from './anthropic.example.ts';
import { decide, gate } from './gate.example.ts';
import { runChat, toToolMessage } from './openai.example.ts';

type Turns = ProviderServerConfig['script'];

let session: GateSession;
const servers: ProviderServer[] = [];

beforeEach(async () => {
  session = await gate.open({ context: undefined, principal: 'ada' });
});

afterEach(async () => {
  await session.close();
  for (const server of servers.splice(0)) {
    await server.close();
    expect(server.failures).toEqual([]);
  }
});

async function serve(protocol: ProviderServerConfig['protocol'], script: Turns): Promise<ProviderServer> {
  const server = await createProviderServer({ protocol, script });
  servers.push(server);
  return server;
}

/** A conversation in one of the loops. */
interface Conversation {
  readonly go: () => Promise<readonly ApprovalRequest[]>;
  /** Adds the result of a call that waited. */
  readonly settle: (approval: ApprovalRequest, verdict: 'allow' | 'decline') => Promise<void>;
  readonly messages: readonly unknown[];
}

async function chat(script: Turns): Promise<Conversation> {
  const { baseUrl } = await serve('openai-chat', script);
  const client = new OpenAI({ baseURL: baseUrl, apiKey: 'key', maxRetries: 0 });
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Go on.' }];
  return {
    messages,
    go: () => runChat(client, session, messages),
    settle: async (approval, verdict) => {
      messages.push(toToolMessage(await decide(session, approval, verdict)));
    },
  };
}

async function anthropic(script: Turns): Promise<Conversation> {
  const { origin } = await serve('anthropic', script);
  const client = new Anthropic({ baseURL: origin, apiKey: 'key', maxRetries: 0 });
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Go on.' }];
  return {
    messages,
    go: () => runMessages(client, session, messages),
    settle: async (approval, verdict) => {
      const last = messages.at(-1);
      if (last?.role !== 'user' || typeof last.content === 'string') throw new Error('No results.');
      last.content.push(toResult(await decide(session, approval, verdict)));
    },
  };
}

async function aiSdk(script: Turns): Promise<Conversation> {
  const { baseUrl } = await serve('openai-chat', script);
  const messages: Parameters<typeof runText>[2] = [{ role: 'user', content: 'Go on.' }];
  const model = createOpenAI({ baseURL: baseUrl, apiKey: 'key' }).chat('NAME');
  return {
    messages,
    go: () => runText(model, session, messages),
    settle: async (approval, verdict) => {
      messages.push({ role: 'tool', content: [toPart(await decide(session, approval, verdict))] });
    },
  };
}

const loops = [
  ['openai', chat],
  ['@anthropic-ai/sdk', anthropic],
  ['ai', aiSdk],
] as const;

const add = (a: number, b: number) => ({ name: 'add', arguments: { a, b } });
const pay = { name: 'pay', arguments: { to: 'eve', cents: 5 } };
const lastOf = ({ messages }: Conversation): string => JSON.stringify(messages.at(-1));

describe.each(loops)('the loop with %s', (_name, open) => {
  test('gives the model one result for each call, until it answers', async () => {
    const conversation = await open({
      turns: [
        { calls: [add(1, 2), { name: 'add', arguments: { a: 1 } }], expect: { tools: ['add', 'pay'] } },
        { calls: [add(3, 4)], expect: { results: ['3', 'must have the member'] } },
        { text: 'It is 7.', expect: { results: ['7'] } },
      ],
    });
    expect(await conversation.go()).toEqual([]);
    expect(lastOf(conversation)).toContain('It is 7.');
  });

  test('runs nothing of an answer that was cut off, and says so', async () => {
    const conversation = await open({
      turns: [
        { calls: [add(1, 2)], finish: 'length' },
        { text: 'Sorry.', expect: { results: ['The call was cut off and did not run.'] } },
      ],
    });
    expect(await conversation.go()).toEqual([]);
  });

  test('stops for a call that needs a decision, and goes on with its result', async () => {
    const conversation = await open({
      turns: [{ calls: [add(1, 2), pay] }, { text: 'Done.', expect: { results: ['3', 'paid 5 to eve'] } }],
    });
    const [approval, ...others] = await conversation.go();
    expect(others).toEqual([]);
    expect(approval).toMatchObject({ tool: 'pay', arguments: { to: 'eve', cents: 5 }, principal: 'ada' });
    if (approval !== undefined) await conversation.settle(JSON.parse(JSON.stringify(approval)), 'allow');
    expect(await conversation.go()).toEqual([]);
    expect(lastOf(conversation)).toContain('Done.');
  });

  test('tells the model of a no', async () => {
    const conversation = await open({
      turns: [
        { calls: [pay] },
        { text: 'I see.', expect: { results: ['The call was declined. Do not repeat it.'] } },
      ],
    });
    for (const approval of await conversation.go()) await conversation.settle(approval, 'decline');
    expect(await conversation.go()).toEqual([]);
  });
});

test.each([
  ['openai', chat],
  ['ai', aiSdk],
] as const)('the loop with %s refuses a member that the model wrote twice', async (_name, open) => {
  const conversation = await open({
    turns: [
      { calls: [{ name: 'add', arguments: '{"a":1,"a":1000,"b":3}' }] },
      { text: 'Sorry.', expect: { results: ['occurs twice'] } },
    ],
  });
  expect(await conversation.go()).toEqual([]);
});

test('the loop with ai goes on after a call that the SDK refused by itself', async () => {
  const conversation = await aiSdk({
    turns: [
      { calls: [{ name: 'add', arguments: '{"a":' }, { name: 'guessed', arguments: {} }, add(1, 2)] },
      { text: 'It is 3.' },
    ],
  });
  expect(await conversation.go()).toEqual([]);
  expect(lastOf(conversation)).toContain('It is 3.');
});

test('a language model of the AI SDK works under the loop of the agent, with the text that it wrote', async () => {
  const { baseUrl } = await serve('openai-chat', {
    turns: [
      { calls: [{ name: 'add', arguments: '{"a":1,"a":1000,"b":3}' }, add(1, 2)] },
      { text: 'It is 3.', expect: { results: ['occurs twice', '3'] } },
    ],
  });
  const model = createOpenAI({ baseURL: baseUrl, apiKey: 'key' }).chat('NAME');
  const result = await ask(model, gate, 'What is 1 + 2?');
  expect(result).toMatchObject({ stopReason: 'answer', text: 'It is 3.' });
  expect(result.outcomes.map(({ reason }) => reason)).toEqual(['arguments_malformed', 'completed']);
});
