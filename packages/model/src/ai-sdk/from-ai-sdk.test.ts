import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { createProviderServer, type ProviderServer, type ProviderServerConfig } from '@toolgate/testing/node';
import { jsonSchema, streamText, tool } from 'ai';
import { describe, expect, test } from 'vitest';
import { ask } from '../../test-support/ask.ts';
import type { ModelCall } from '../call/model-call.ts';
import type { Protocol } from '../call/protocol.ts';
import { collectResponse } from '../event/collect-response.ts';
import type { ModelEvent } from '../event/model-event.ts';
import { fromAiSdk } from './from-ai-sdk.ts';

type Make = (server: ProviderServer) => LanguageModelV4;

const PROVIDERS: readonly (readonly [string, Protocol, Make])[] = [
  [
    'openai (chat)',
    'openai-chat',
    ({ baseUrl }) => createOpenAI({ baseURL: baseUrl, apiKey: 'key-of-the-test' }).chat('m'),
  ],
  [
    'openai (responses)',
    'openai-responses',
    ({ baseUrl }) => createOpenAI({ baseURL: baseUrl, apiKey: 'key-of-the-test' }).responses('m'),
  ],
  [
    'openai-compatible',
    'openai-chat',
    ({ baseUrl }) =>
      createOpenAICompatible({
        name: 'local',
        includeUsage: true,
        baseURL: baseUrl,
        apiKey: 'key-of-the-test',
      })('m'),
  ],
  [
    'anthropic',
    'anthropic',
    ({ baseUrl }) => createAnthropic({ baseURL: baseUrl, apiKey: 'key-of-the-test' })('m'),
  ],
  [
    'google',
    'gemini',
    ({ baseUrl }) => createGoogleGenerativeAI({ baseURL: baseUrl, apiKey: 'key-of-the-test' })('m'),
  ],
];

const CALL: ModelCall = {
  model: 'ignored',
  instructions: [{ role: 'system', text: 'Be brief.' }],
  items: [{ kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'Ist offen?' }] }],
  tools: [
    {
      kind: 'function',
      name: 'find',
      description: 'Finds.',
      parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    },
    { kind: 'function', name: 'list', parameters: { type: 'object', properties: {} } },
  ],
};

async function withServer<Result>(
  config: ProviderServerConfig,
  use: (server: ProviderServer) => Promise<Result>,
): Promise<Result> {
  const server = await createProviderServer(config);
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}

describe.each(PROVIDERS)('a language model of %s', (_, protocol, make) => {
  test('streams text, parallel calls and usage', async () => {
    const turn = {
      text: 'Grüße, 世界 😀',
      calls: [
        { name: 'find', arguments: { path: 'ä' } },
        { name: 'list', arguments: {} },
      ],
      usage: { inputTotal: 12, outputTotal: 7 },
      expect: { userText: 'Ist offen?', tools: ['find', 'list'] },
    };
    const events = await withServer({ protocol, script: { turns: [turn] }, pieceBytes: 7 }, (server) =>
      ask(fromAiSdk(make(server)), CALL),
    );
    expect(collectResponse(events)).toMatchObject({
      finish: 'tool-calls',
      items: [
        { kind: 'message', parts: [{ kind: 'text', text: 'Grüße, 世界 😀' }] },
        { kind: 'tool-call', name: 'find', arguments: '{"path":"ä"}' },
        { kind: 'tool-call', name: 'list', arguments: '{}' },
      ],
      usage: { inputTotal: 12, outputTotal: 7 },
    });
  });

  test('takes its own answer and its results back', async () => {
    const turns = [
      { reasoning: 'hm', text: 'wait', calls: [{ name: 'find', arguments: { path: 'ä' } }] },
      { text: 'it is', expect: { results: ['three lines'] } },
    ];
    await withServer({ protocol, script: { turns } }, async (server) => {
      const model = fromAiSdk(make(server));
      const first = collectResponse(await ask(model, CALL));
      const call = first.items.find((item) => item.kind === 'tool-call');
      const result = {
        kind: 'tool-result' as const,
        callId: call?.kind === 'tool-call' ? call.callId : '',
        parts: [{ kind: 'text' as const, text: 'three lines' }],
      };
      const second = collectResponse(
        await ask(model, { ...CALL, items: [...CALL.items, ...first.items, result] }),
      );
      expect(second.items).toMatchObject([{ parts: [{ text: 'it is' }] }]);
      const items = server.requests[1]?.call.items ?? [];
      expect(items.find((item) => item.kind === 'tool-call')).toMatchObject({
        name: 'find',
        arguments: '{"path":"ä"}',
      });
    });
  });

  test.each([
    ['ends', { kind: 'cut-off' }],
    ['breaks', { kind: 'cut-off', abrupt: true }],
    ['turns into garbage', { kind: 'garbage' }],
  ] as const)('leaves no call to be run when its stream %s', async (_name, fault) => {
    const script = { turns: [{ text: 'half', calls: [{ name: 'find', arguments: '{"path":"a"}' }], fault }] };
    const events = await withServer({ protocol, script }, (server) => ask(fromAiSdk(make(server)), CALL));
    const { items, incomplete = [], finish } = collectResponse(events);
    expect(['error', 'unknown']).toContain(finish);
    expect(incomplete).toHaveLength(items.filter(({ kind }) => kind === 'tool-call').length);
  });

  test('fails with status, request id and one sentence, and is tried again only when that may help', async () => {
    const turns = [
      { fault: { kind: 'error', status: 503, headers: { 'retry-after': '0' } } },
      { fault: { kind: 'error', status: 404, message: 'no model m for key-of-the-test' } },
    ] as const;
    await withServer({ protocol, script: { turns } }, async (server) => {
      const model = fromAiSdk(make(server), { secrets: ['key-of-the-test'] });
      await expect(ask(model, CALL)).rejects.toMatchObject({
        code: 'model/http-status',
        status: 404,
        requestId: 'req_1',
        message:
          'The model or the address does not exist (status 404, request req_1): no model m for [redacted]',
      });
      expect(server.requests).toHaveLength(2);
    });
  });

  test('closes its connection when its caller cancels', async () => {
    const script = { turns: [{ text: 'wait for it', fault: { kind: 'silence' } }] } as const;
    await withServer({ protocol, script }, async (server) => {
      const controller = new AbortController();
      const events: ModelEvent[] = [];
      for await (const event of fromAiSdk(make(server)).stream(CALL, { signal: controller.signal })) {
        events.push(event);
        controller.abort();
      }
      expect(events.at(-1)).toMatchObject({ kind: 'response-error', code: 'model/cancelled' });
      await server.idle();
    });
  });

  test('closes its connection when the iteration is left', async () => {
    const script = { turns: [{ text: 'wait for it', fault: { kind: 'silence' } }] } as const;
    await withServer({ protocol, script }, async (server) => {
      const signal = new AbortController().signal;
      for await (const _event of fromAiSdk(make(server)).stream(CALL, { signal })) break;
      await server.idle();
      expect(server.requests).toHaveLength(1);
    });
  });

  test('speaks to `ai` through the same server', async () => {
    const turns = [
      { calls: [{ name: 'find', arguments: { path: 'ä' } }] },
      { text: 'found it', expect: { results: ['seen'] } },
    ];
    await withServer({ protocol, script: { turns } }, async (server) => {
      const seen: unknown[] = [];
      const find = tool({
        inputSchema: jsonSchema({ type: 'object', properties: { path: { type: 'string' } } }),
        execute: (input: unknown) => {
          seen.push(input);
          return 'seen';
        },
      });
      const result = streamText({
        model: make(server),
        prompt: 'Ist offen?',
        tools: { find },
        stopWhen: ({ steps }) => steps.length === 2,
      });
      expect(await result.text).toBe('found it');
      expect(seen).toEqual([{ path: 'ä' }]);
    });
  });
});

test.each(['v2', 'v3', undefined])(
  'a language model of the specification %s is refused at once',
  (version) => {
    const other = {
      specificationVersion: version,
      provider: 'p',
      modelId: 'm',
    } as unknown as LanguageModelV4;
    expect(() => fromAiSdk(other)).toThrow(expect.objectContaining({ code: 'model/options-invalid' }));
  },
);

test('a connection that nobody answers is one clear sentence', async () => {
  const server = await createProviderServer({ protocol: 'openai-chat', script: { turns: [] } });
  await server.close();
  const model = fromAiSdk(createOpenAI({ baseURL: server.baseUrl, apiKey: 'k' }).chat('m'), {
    retry: { attempts: 1 },
  });
  await expect(ask(model)).rejects.toMatchObject({
    code: 'model/connection-failed',
    message: 'The provider could not be reached: nothing listens at the base URL (ECONNREFUSED).',
  });
});

test('a missing key is said by its provider before anything is sent', async () => {
  const model = fromAiSdk(createOpenAI({ baseURL: 'http://localhost:1' }).chat('m'));
  await expect(ask(model)).rejects.toMatchObject({ code: 'model/options-invalid' });
});
