import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import type { Protocol } from '@toolgate/model';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import type { Script, ScriptedTurn } from '../scripted-model/script.ts';
import {
  createProviderServer,
  type ProviderServer,
  type ProviderServerConfig,
} from './create-provider-server.ts';

const TURN: ScriptedTurn = {
  text: 'Grüße, 世界 😀',
  calls: [
    { name: 'find', arguments: { path: 'ä' } },
    { name: 'list', arguments: {} },
  ],
  usage: { inputTotal: 12, outputTotal: 7 },
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

async function drain<Value>(values: AsyncIterable<Value>): Promise<readonly Value[]> {
  const all: Value[] = [];
  for await (const value of values) all.push(value);
  return all;
}

/** What an official client understood of one answer. */
interface Understood {
  readonly text: string;
  readonly calls: readonly unknown[];
}

type Ask = (server: ProviderServer, stream: boolean) => Promise<Understood>;

const askChat: Ask = async ({ baseUrl }, stream) => {
  const client = new OpenAI({ baseURL: baseUrl, apiKey: 'k', maxRetries: 0, logLevel: 'off' });
  const request = { model: 'm', messages: [{ role: 'user' as const, content: 'hi' }] };
  const answer = stream
    ? await client.chat.completions.stream(request).finalChatCompletion()
    : await client.chat.completions.create(request);
  const message = answer.choices[0]?.message;
  const calls = (message?.tool_calls ?? []).flatMap((call) =>
    call.type === 'function' ? [[call.function.name, JSON.parse(call.function.arguments)]] : [],
  );
  return { text: message?.content ?? '', calls };
};

const askResponses: Ask = async ({ baseUrl }, stream) => {
  const client = new OpenAI({ baseURL: baseUrl, apiKey: 'k', maxRetries: 0, logLevel: 'off' });
  const request = { model: 'm', input: 'hi' };
  const answer = stream
    ? await client.responses.stream(request).finalResponse()
    : await client.responses.create(request);
  const calls = answer.output.flatMap((item) =>
    item.type === 'function_call' ? [[item.name, JSON.parse(item.arguments)]] : [],
  );
  return { text: answer.output_text, calls };
};

const askAnthropic: Ask = async ({ origin }, stream) => {
  const client = new Anthropic({ baseURL: origin, apiKey: 'k', maxRetries: 0, logLevel: 'off' });
  const request = { model: 'm', max_tokens: 9, messages: [{ role: 'user' as const, content: 'hi' }] };
  const answer = stream
    ? await client.messages.stream(request).finalMessage()
    : await client.messages.create(request);
  const text = answer.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  const calls = answer.content.flatMap((block) =>
    block.type === 'tool_use' ? [[block.name, block.input]] : [],
  );
  return { text, calls };
};

const askGemini: Ask = async ({ origin }, stream) => {
  const client = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: origin } });
  const request = { model: 'm', contents: 'hi' };
  const answers = stream
    ? await drain(await client.models.generateContentStream(request))
    : [await client.models.generateContent(request)];
  const parts = answers.flatMap((answer) => answer.candidates?.[0]?.content?.parts ?? []);
  const calls = parts.flatMap(({ functionCall }) =>
    functionCall ? [[functionCall.name, functionCall.args]] : [],
  );
  return { text: parts.map(({ text }) => text ?? '').join(''), calls };
};

const ASK: Readonly<Record<Protocol, Ask>> = {
  'openai-chat': askChat,
  'openai-responses': askResponses,
  anthropic: askAnthropic,
  gemini: askGemini,
};

const CLIENTS = Object.entries(ASK) as readonly (readonly [Protocol, Ask])[];

const script = (...turns: readonly ScriptedTurn[]): Script => ({ turns });

describe.each(CLIENTS)('the official client of %s', (protocol, ask) => {
  test.each([true, false])('understands text and parallel calls (streamed: %s)', async (stream) => {
    const understood = await withServer({ protocol, script: script(TURN), pieceBytes: 3 }, (server) =>
      ask(server, stream),
    );
    expect(understood).toEqual({
      text: TURN.text,
      calls: [
        ['find', { path: 'ä' }],
        ['list', {}],
      ],
    });
  });

  test.each([true, false])('is told of an error with its status (streamed: %s)', async (stream) => {
    const fault = { kind: 'error', status: 404, message: 'no such model' } as const;
    await withServer({ protocol, script: script({ fault }) }, async (server) => {
      await expect(ask(server, stream)).rejects.toMatchObject({
        status: 404,
        message: expect.stringContaining('no such model'),
      });
    });
  });

  test.each([
    ['breaks', { kind: 'cut-off', abrupt: true }],
    ['turns into garbage', { kind: 'garbage' }],
  ] as const)('fails on a stream that %s', async (_, fault) => {
    await withServer({ protocol, script: script({ text: 'half an ans', fault }) }, async (server) => {
      await expect(ask(server, true)).rejects.toThrow(/./);
    });
  });

  test('is refused with a wrong key', async () => {
    await withServer({ protocol, script: script(TURN), apiKey: 'other' }, async (server) => {
      await expect(ask(server, true)).rejects.toMatchObject({ status: 401 });
      expect(server.requests).toEqual([]);
    });
  });
});

describe('a provider server', () => {
  test('keeps what it was asked, as it was sent and as it is meant', async () => {
    await withServer({ protocol: 'openai-chat', script: script(TURN) }, async (server) => {
      await askChat(server, true);
      const [request] = server.requests;
      expect(request?.path).toBe('/v1/chat/completions');
      expect(request?.headers['authorization']).toBe('Bearer k');
      expect(request?.body).toMatchObject({ messages: [{ role: 'user', content: 'hi' }] });
      expect(request?.call.items).toMatchObject([{ role: 'user', parts: [{ text: 'hi' }] }]);
    });
  });

  test('refuses a request that the script does not expect, and says what differs', async () => {
    const turn = { ...TURN, expect: { userText: 'goodbye' } };
    await withServer({ protocol: 'anthropic', script: script(turn) }, async (server) => {
      await expect(askAnthropic(server, true)).rejects.toMatchObject({ status: 400 });
      expect(server.failures.map(({ message }) => message)).toEqual([
        'request 1 differs from the script: the last user message does not contain "goodbye"',
      ]);
    });
  });

  test('ends a silent answer when its client goes away', async () => {
    const silent = script({ text: 'wait', fault: { kind: 'silence' } });
    await withServer({ protocol: 'openai-chat', script: silent }, async (server) => {
      const client = new OpenAI({ baseURL: server.baseUrl, apiKey: 'k' });
      const stream = await client.chat.completions.create({ model: 'm', messages: [], stream: true });
      expect(server.openAnswers).toBe(1);
      stream.controller.abort();
      await server.idle();
      expect(server.openAnswers).toBe(0);
    });
  });

  test('answers without end where a function makes the turns, and keeps the last requests only', async () => {
    const script = ({ model }: { readonly model: string }): ScriptedTurn => ({ text: `I am ${model}.` });
    await withServer({ protocol: 'openai-chat', script, maxRequests: 2 }, async (server) => {
      const client = new OpenAI({ baseURL: server.baseUrl, apiKey: 'k', maxRetries: 0, logLevel: 'off' });
      const said: unknown[] = [];
      for (const model of ['a', 'b', 'c']) {
        const answer = await client.chat.completions.create({ model, messages: [] });
        said.push(answer.choices[0]?.message.content);
      }
      expect(said).toEqual(['I am a.', 'I am b.', 'I am c.']);
      expect(server.requests.map(({ call }) => call.model)).toEqual(['b', 'c']);
    });
  });

  test('breaks open answers when it is closed', async () => {
    const silent = script({ text: 'wait', fault: { kind: 'silence' } });
    const server = await createProviderServer({ protocol: 'openai-chat', script: silent });
    const client = new OpenAI({ baseURL: server.baseUrl, apiKey: 'k' });
    const stream = await client.chat.completions.create({ model: 'm', messages: [], stream: true });
    await server.close();
    await expect(drain(stream)).rejects.toThrow(/./);
    expect(server.openAnswers).toBe(0);
  });

  test.each(['/v1/models', '/v1/chat', '/'])('has nothing at %s', async (path) => {
    await withServer({ protocol: 'openai-chat', script: script(TURN) }, async ({ origin }) => {
      expect((await fetch(`${origin}${path}`, { method: 'POST', body: '{}' })).status).toBe(404);
    });
  });

  test.each(['', '{', '[]', '{"model":1}'])('refuses the body %j', async (body) => {
    await withServer({ protocol: 'openai-chat', script: script(TURN) }, async ({ baseUrl, requests }) => {
      expect((await fetch(`${baseUrl}/chat/completions`, { method: 'POST', body })).status).toBe(400);
      expect(requests).toEqual([]);
    });
  });
});
