import { createProviderServer, type ProviderServer, type ProviderServerConfig } from '@toolgate/testing/node';
import { describe, expect, test } from 'vitest';
import { ask, QUESTION } from '../../test-support/ask.ts';
import type { ModelCall } from '../call/model-call.ts';
import { PROTOCOLS } from '../call/protocol.ts';
import { codecOf } from '../codec/codecs.ts';
import { collectResponse } from '../event/collect-response.ts';
import type { ModelEvent } from '../event/model-event.ts';
import type { Model } from '../model.ts';
import { createHttpModel } from './http-model.ts';
import type { HttpModelConfig } from './http-model-config.ts';

async function withServer<Result>(
  config: ProviderServerConfig,
  use: (server: ProviderServer, model: Model) => Promise<Result>,
  options: Partial<HttpModelConfig> = {},
): Promise<Result> {
  const server = await createProviderServer(config);
  try {
    const model = createHttpModel({
      codec: codecOf(config.protocol),
      baseUrl: server.baseUrl,
      apiKey: 'key-of-the-test',
      model: 'm-1',
      retry: { attempts: 1 },
      ...options,
    });
    return await use(server, model);
  } finally {
    await server.close();
  }
}

describe.each(PROTOCOLS)('a model that speaks %s', (protocol) => {
  test('streams text, parallel calls and usage', async () => {
    const turn = {
      text: 'Grüße, 世界 😀',
      calls: [
        { name: 'find', arguments: { path: 'ä' } },
        { name: 'list', arguments: {} },
      ],
      usage: { inputTotal: 12, outputTotal: 7 },
    };
    const config = { protocol, script: { turns: [turn] }, apiKey: 'key-of-the-test', pieceBytes: 5 };
    const call: ModelCall = { ...QUESTION, streamUsage: true };
    const events = await withServer(config, (_, model) => ask(model, call));
    expect(collectResponse(events)).toMatchObject({
      finish: 'tool-calls',
      model: 'm-1',
      items: [
        { kind: 'message', parts: [{ kind: 'text', text: 'Grüße, 世界 😀' }] },
        { kind: 'tool-call', name: 'find', arguments: '{"path":"ä"}' },
        { kind: 'tool-call', name: 'list', arguments: '{}' },
      ],
      usage: { inputTotal: 12, outputTotal: 7 },
    });
  });

  test('asks for its own model, as a stream, at the address of the protocol, with the key in a header only', async () => {
    const config = { protocol, script: { turns: [{ text: 'ja' }] } };
    await withServer(config, async (server, model) => {
      await ask(model);
      const [request] = server.requests;
      expect(request?.call).toMatchObject({ model: 'm-1', stream: true });
      expect(request?.path).not.toContain('key-of-the-test');
      expect(Object.values(request?.headers ?? {}).join()).toContain('key-of-the-test');
    });
  });

  test.each([
    ['ends', { kind: 'cut-off' }, 'model/stream-incomplete'],
    ['breaks', { kind: 'cut-off', abrupt: true }, 'model/stream-incomplete'],
    ['turns into garbage', { kind: 'garbage', text: 'data: {"oops"\n\n' }, 'model/stream-invalid'],
    ['becomes no text at all', { kind: 'garbage', text: 'data: {oops}\n\n' }, 'model/stream-invalid'],
  ] as const)('gives what it got, and a failure, when a stream %s', async (_, fault, code) => {
    const script = {
      turns: [{ text: 'half an ans', calls: [{ name: 'pay', arguments: '{"eur":1}' }], fault }],
    };
    const events = await withServer({ protocol, script }, (_, model) => ask(model));
    const response = collectResponse(events);
    expect(response.finish).toBe('error');
    expect(events.at(-1)).toMatchObject({ kind: 'response-error', code });
    expect(response.items[0]).toMatchObject({ parts: [{ text: 'half an ans' }] });
    const calls = response.items.filter(({ kind }) => kind === 'tool-call');
    expect(response.incomplete ?? []).toHaveLength(calls.length);
  });

  test('throws what the provider says, with status and request id', async () => {
    const fault = { kind: 'error', status: 404, message: 'no model m-1' } as const;
    await withServer({ protocol, script: { turns: [{ fault }] } }, async (_, model) => {
      await expect(ask(model)).rejects.toMatchObject({
        code: 'model/http-status',
        status: 404,
        requestId: 'req_1',
        message: 'The model or the address does not exist (status 404, request req_1): no model m-1',
      });
    });
  });

  test('closes the connection when its caller cancels, and says so', async () => {
    const script = { turns: [{ text: 'wait for it', fault: { kind: 'silence' } }] } as const;
    await withServer({ protocol, script }, async (server, model) => {
      const controller = new AbortController();
      const events: ModelEvent[] = [];
      for await (const event of model.stream(QUESTION, { signal: controller.signal })) {
        events.push(event);
        controller.abort();
      }
      expect(events.at(-1)).toMatchObject({ kind: 'response-error', code: 'model/cancelled' });
      await server.idle();
    });
  });

  test('closes the connection when the iteration is left', async () => {
    const script = { turns: [{ text: 'wait for it', fault: { kind: 'silence' } }] } as const;
    await withServer({ protocol, script }, async (server, model) => {
      for await (const _ of model.stream(QUESTION, { signal: new AbortController().signal })) break;
      await server.idle();
      expect(server.requests).toHaveLength(1);
    });
  });

  test('closes the connection when the iteration is ended while it waits', async () => {
    const script = { turns: [{ fault: { kind: 'silence' } }] } as const;
    await withServer({ protocol, script }, async (server, model) => {
      const iterator = model
        .stream(QUESTION, { signal: new AbortController().signal })
        [Symbol.asyncIterator]();
      const first = iterator.next();
      first.catch(() => undefined);
      while (server.openAnswers === 0) await new Promise((resolve) => setImmediate(resolve));
      await iterator.return?.();
      await server.idle();
      expect(await iterator.next()).toEqual({ done: true, value: undefined });
    });
  });

  test('uses its connections again', async () => {
    const script = { turns: Array.from({ length: 5 }, () => ({ text: 'ja' })) };
    await withServer({ protocol, script }, async (server, model) => {
      for (let turn = 0; turn < 5; turn++) await ask(model);
      // Two, because the next request may leave before the platform has put the connection back.
      expect(new Set(server.requests.map(({ clientPort }) => clientPort)).size).toBeLessThanOrEqual(2);
    });
  });
});

test('nothing is asked under a signal that is aborted already', async () => {
  await withServer(
    { protocol: 'openai-chat', script: { turns: [{ text: 'ja' }] } },
    async (server, model) => {
      await expect(ask(model, QUESTION, AbortSignal.abort())).rejects.toMatchObject({
        code: 'model/cancelled',
      });
      expect(server.requests).toEqual([]);
    },
  );
});

test('nothing is asked, and nothing is kept, before the iteration begins', async () => {
  await withServer(
    { protocol: 'openai-chat', script: { turns: [{ text: 'ja' }] } },
    async (server, model) => {
      model.stream(QUESTION, { signal: new AbortController().signal });
      await new Promise((resolve) => setImmediate(resolve));
      expect(server.openAnswers).toBe(0);
    },
  );
});

test('a signal that serves many calls keeps no listener of any of them', async () => {
  const { signal } = new AbortController();
  let listeners = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...rest: Parameters<typeof add>) => {
    listeners += 1;
    add(...rest);
  };
  signal.removeEventListener = (...rest: Parameters<typeof remove>) => {
    listeners -= 1;
    remove(...rest);
  };
  const script = { turns: [{ text: 'ja' }, { text: 'ja' }] };
  await withServer({ protocol: 'anthropic', script }, async (_, model) => {
    await ask(model, QUESTION, signal);
    await ask(model, QUESTION, signal);
  });
  expect(listeners).toBe(0);
});
