import { describe, expect, test } from 'vitest';
import { ask } from '../../test-support/ask.ts';
import { createFakeFetch } from '../../test-support/fake-fetch.ts';
import { anthropic } from '../anthropic/anthropic.ts';
import { gemini } from '../gemini/gemini.ts';
import type { Model } from '../model.ts';
import { openaiChat } from '../openai-chat/openai-chat.ts';
import { openaiResponses } from '../openai-responses/openai-responses.ts';
import { createHttpModel } from './http-model.ts';
import type { Fetch, HttpModelConfig } from './http-model-config.ts';
import {
  createAnthropicModel,
  createGeminiModel,
  createOpenaiChatModel,
  createOpenaiResponsesModel,
  type NamedModelConfig,
} from './named-models.ts';

/** Where a model sends its request, and with which headers. */
async function sent(make: (fetch: Fetch) => Model) {
  const { fetch, requests } = createFakeFetch(() => Response.json({}, { status: 400 }));
  await ask(make(fetch)).catch(() => undefined);
  const [request] = requests;
  if (request === undefined) throw new Error('nothing was sent');
  return { url: request.url, headers: request.headers };
}

describe('a request goes to its place', () => {
  test.each([
    [openaiChat, 'https://api.openai.com/v1/chat/completions', { authorization: 'Bearer k' }],
    [openaiResponses, 'https://api.openai.com/v1/responses', { authorization: 'Bearer k' }],
    [
      anthropic,
      'https://api.anthropic.com/v1/messages',
      { 'x-api-key': 'k', 'anthropic-version': '2023-06-01' },
    ],
    [
      gemini,
      'https://generativelanguage.googleapis.com/v1beta/models/m:streamGenerateContent?alt=sse',
      { 'x-goog-api-key': 'k' },
    ],
  ])('at the provider', async (codec, url, headers) => {
    const request = await sent((fetch) => createHttpModel({ codec, model: 'm', apiKey: 'k', fetch }));
    expect(request.url).toBe(url);
    expect(request.headers).toMatchObject({ ...headers, 'content-type': 'application/json' });
  });

  test.each([
    ['Ollama', 'http://localhost:11434/v1', 'http://localhost:11434/v1/chat/completions'],
    ['vLLM', 'http://localhost:8000/v1/', 'http://localhost:8000/v1/chat/completions'],
    ['llama.cpp', 'http://127.0.0.1:8080/v1', 'http://127.0.0.1:8080/v1/chat/completions'],
    ['LM Studio', 'http://[::1]:1234/v1', 'http://[::1]:1234/v1/chat/completions'],
    ['no path at all', 'http://localhost:1', 'http://localhost:1/chat/completions'],
    ['many slashes', 'http://localhost:1/v1///', 'http://localhost:1/v1/chat/completions'],
    ['a fragment', 'http://localhost:1/v1#model', 'http://localhost:1/v1/chat/completions'],
    [
      'Azure',
      'https://n.openai.azure.com/openai/deployments/d?api-version=2024-10-21',
      'https://n.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21',
    ],
  ])('at %s', async (_, baseUrl, url) => {
    const request = await sent((fetch) => createOpenaiChatModel({ model: 'm', baseUrl, fetch }));
    expect(request.url).toBe(url);
    expect(request.headers).not.toHaveProperty('authorization');
  });

  test('with the query of its base and that of its method', async () => {
    const baseUrl = 'http://localhost:1/v1beta?tenant=a';
    const request = await sent((fetch) => createGeminiModel({ model: 'tunedModels/t', baseUrl, fetch }));
    expect(request.url).toBe(
      'http://localhost:1/v1beta/tunedModels/t:streamGenerateContent?tenant=a&alt=sse',
    );
  });

  test.each([
    ['bearer', { authorization: 'Bearer k' }],
    ['x-api-key', { 'x-api-key': 'k' }],
    ['api-key', { 'api-key': 'k' }],
    ['x-goog-api-key', { 'x-goog-api-key': 'k' }],
  ] as const)('with its key as %s', async (auth, headers) => {
    const request = await sent((fetch) =>
      createHttpModel({
        codec: anthropic,
        model: 'm',
        baseUrl: 'http://localhost:1',
        apiKey: 'k',
        auth,
        fetch,
      }),
    );
    expect(request.headers).toMatchObject(headers);
    expect(
      Object.values(request.headers).filter((value) => value.includes('k') && /\bk$/.test(value)),
    ).toHaveLength(1);
  });

  test('with the headers of its caller in the place of its own', async () => {
    const headers = { 'Anthropic-Version': '2099-01-01', 'X-Team': 'a' };
    const request = await sent((fetch) =>
      createAnthropicModel({ model: 'm', baseUrl: 'http://localhost:1', headers, fetch }),
    );
    expect(request.headers).toMatchObject({ 'anthropic-version': '2099-01-01', 'x-team': 'a' });
  });
});

describe('a configuration is refused at once', () => {
  test.each<readonly [string, Partial<HttpModelConfig>, string]>([
    ['a blank model', { model: ' ' }, 'model'],
    ['a relative address', { baseUrl: '/v1' }, 'baseUrl'],
    ['an address of another scheme', { baseUrl: 'file:///etc/passwd' }, 'baseUrl'],
    ['credentials in the address', { baseUrl: 'http://me:secret@localhost/v1' }, 'apiKey'],
    ['a key in the query', { baseUrl: 'http://localhost/v1?key=secret' }, 'apiKey'],
    ['a key in the query by another name', { baseUrl: 'http://localhost/v1?a=1&API_KEY=secret' }, 'apiKey'],
    ['the path of the method', { baseUrl: 'http://localhost/v1/chat/completions/' }, 'path of the method'],
    ['the path of another method', { baseUrl: 'http://localhost/v1/models/m:generateContent' }, 'path'],
    ['an empty key', { apiKey: '' }, 'apiKey'],
    ['no time to wait', { timeouts: { firstEventMs: 0 } }, 'timeouts.firstEventMs'],
    ['a time that is none', { timeouts: { betweenEventsMs: Number.NaN } }, 'timeouts.betweenEventsMs'],
    ['no end of time', { timeouts: { totalMs: Number.POSITIVE_INFINITY } }, 'timeouts.totalMs'],
    ['no attempt', { retry: { attempts: 0 } }, 'retry.attempts'],
    ['part of an attempt', { retry: { attempts: 1.5 } }, 'retry.attempts'],
    ['a negative bound', { maxResponseBytes: -1 }, 'maxResponseBytes'],
  ])('with %s', (_, config, named) => {
    const make = (): unknown => createHttpModel({ codec: openaiChat, model: 'm', ...config });
    expect(make).toThrow(
      expect.objectContaining({ code: 'model/options-invalid', message: expect.stringContaining(named) }),
    );
    expect(make).toThrow(expect.objectContaining({ message: expect.not.stringContaining('secret') }));
  });

  test.each<readonly [string, (config: NamedModelConfig) => Model]>([
    ['createOpenaiChatModel', createOpenaiChatModel],
    ['createOpenaiResponsesModel', createOpenaiResponsesModel],
    ['createAnthropicModel', createAnthropicModel],
    ['createGeminiModel', createGeminiModel],
  ])('by %s without a key and without an address', (_, make) => {
    expect(() => make({ model: 'm' })).toThrow(
      expect.objectContaining({
        code: 'model/options-invalid',
        message: expect.stringContaining('apiKey is missing'),
      }),
    );
    expect(make({ model: 'm', apiKey: 'k' }).id).toMatch(/:m$/);
    expect(make({ model: 'm', baseUrl: 'http://localhost:1' }).id).toMatch(/:m$/);
  });
});

test('a configuration that is changed later changes nothing', async () => {
  const headers: Record<string, string> = { 'x-team': 'a' };
  const request = await sent((fetch) => {
    const model = createHttpModel({
      codec: openaiChat,
      model: 'm',
      baseUrl: 'http://localhost:1',
      headers,
      fetch,
    });
    headers['x-team'] = 'b';
    return model;
  });
  expect(request.headers['x-team']).toBe('a');
});

test('a model says what it is and what it can do', () => {
  const model = createOpenaiChatModel({ model: 'm', apiKey: 'k', capabilities: ['vision'] });
  expect(model.id).toBe('openai-chat:m');
  expect([...model.capabilities]).toEqual(['vision']);
});
