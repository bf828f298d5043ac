import type { Protocol } from '@toolgate/model';
import type { Script, ScriptedTurn } from '@toolgate/testing';
import { createProviderServer, type ProviderServer } from '@toolgate/testing/node';
import { describe, expect, test } from 'vitest';
import { ASK, type ClientTool, FINISH } from '../../test-support/clients.ts';
import { PAIRS, PROVIDER_KEY, type TestGateway, withGateway } from '../../test-support/gateway-fixture.ts';

const TOOLS: readonly ClientTool[] = [
  {
    name: 'find',
    description: 'Finds a file.',
    schema: {
      type: 'object',
      properties: { path: { type: 'string' }, limit: { type: 'integer' } },
      required: ['path'],
      additionalProperties: false,
    },
  },
  { name: 'list', description: 'Lists all.', schema: { type: 'object', properties: {} } },
];

const USAGE = { inputTotal: 12, outputTotal: 7 };

async function withPair<Result>(
  backend: Protocol,
  turns: readonly ScriptedTurn[],
  use: (gateway: TestGateway, provider: ProviderServer) => Promise<Result>,
): Promise<Result> {
  const script: Script = { turns, pieceLength: 5 };
  const provider = await createProviderServer({
    protocol: backend,
    script,
    apiKey: PROVIDER_KEY,
    pieceBytes: 7,
  });
  try {
    const providers = { m: { protocol: backend, baseUrl: provider.baseUrl } };
    return await withGateway({ providers }, (gateway) => use(gateway, provider));
  } finally {
    await provider.close();
  }
}

describe.each(PAIRS)('a client of %s before a provider of %s', (surface, backend) => {
  const ask = ASK[surface];

  test.each([false, true])('gets text and usage (streamed: %s)', async (stream) => {
    await withPair(
      backend,
      [{ text: 'Grüße, 世界 😀', usage: USAGE }],
      async ({ url, traffic }, provider) => {
        const answer = await ask(url, { model: 'm', text: 'hi', stream });
        expect(answer.text).toBe('Grüße, 世界 😀');
        expect(answer.finish).toBe(FINISH[surface].stop);
        expect(answer.usage).toEqual({ input: 12, output: 7 });
        expect(provider.requests[0]?.call.items).toMatchObject([{ role: 'user', parts: [{ text: 'hi' }] }]);
        expect(traffic).toMatchObject([
          { surface, route: 'm', candidate: 'm', status: 200, streamed: stream, finish: 'stop', attempts: 1 },
        ]);
      },
    );
  });

  test.each([false, true])('gets parallel calls in order (streamed: %s)', async (stream) => {
    const turn: ScriptedTurn = {
      text: 'Looking.',
      calls: [
        { name: 'find', arguments: { path: 'ä/"b"', limit: 3 } },
        { name: 'list', arguments: {} },
      ],
      usage: USAGE,
    };
    await withPair(backend, [turn], async ({ stores, url }, provider) => {
      const answer = await ask(url, { model: 'm', text: 'find it', tools: TOOLS, stream });
      expect(answer.text).toBe('Looking.');
      expect(answer.calls).toEqual([
        { name: 'find', arguments: { path: 'ä/"b"', limit: 3 } },
        { name: 'list', arguments: {} },
      ]);
      expect(answer.finish).toBe(FINISH[surface].calls);
      expect(provider.requests[0]?.call.tools?.map((tool) => tool.name)).toEqual(['find', 'list']);
      await stores.calls.flush();
      const logged = await stores.calls.list();
      const said = logged.items.map(({ reason, tool, verdict }) => `${tool} ${verdict}: ${reason}`);
      expect(new Set(said)).toEqual(new Set(['find allowed: permitted', 'list allowed: permitted']));
    });
  });

  test.each([false, true])('learns of a refusal with its status (streamed: %s)', async (stream) => {
    const fault = { kind: 'error', status: 404, message: `no model; key ${PROVIDER_KEY}` } as const;
    await withPair(backend, [{ fault }], async ({ url, traffic }) => {
      const asked = ask(url, { model: 'm', text: 'hi', stream });
      await expect(asked).rejects.toMatchObject({ status: 404 });
      await expect(asked).rejects.not.toThrow(PROVIDER_KEY);
      expect(traffic).toMatchObject([{ status: 404, error: 'upstream_refused' }]);
    });
  });

  test.each([true, false])('is never given a cut answer as a whole one (abrupt: %s)', async (abrupt) => {
    const turn: ScriptedTurn = {
      text: 'half an ans',
      calls: [{ name: 'find', arguments: '{"path":"a' }],
      fault: { kind: 'cut-off', abrupt },
    };
    await withPair(backend, [turn], async ({ url, traffic }) => {
      const asked = ask(url, { model: 'm', text: 'hi', tools: TOOLS, stream: true });
      // The client of Responses gives the failed answer instead of throwing it.
      if (surface === 'openai-responses') expect(await asked).toMatchObject({ finish: 'failed', calls: [] });
      else await expect(asked).rejects.toThrow(/./);
      expect(traffic).toMatchObject([{ error: 'model/stream-incomplete' }]);
    });
  });
});
