import { GoogleGenAI } from '@google/genai';
import type { JsonValue } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import { decodeInPieces } from '../../test-support/in-pieces.ts';
import { recordings } from '../../test-support/recordings.ts';
import { type SeenRequest, withWireServer } from '../../test-support/wire-server.ts';
import type { ModelResponse } from '../call/model-response.ts';
import { responseToEvents } from '../event/response-to-events.ts';
import { gemini } from './gemini.ts';
import { readGeminiPath } from './gemini-path.ts';

const RESPONSE: ModelResponse = {
  id: 'resp-1',
  model: 'gemini-test-1',
  items: [
    { kind: 'reasoning', text: 'Think.', opaque: { protocol: 'gemini', form: 'signature', value: 'c2ln' } },
    { kind: 'message', role: 'assistant', parts: [{ kind: 'text', text: 'Grüße 😀' }] },
    {
      kind: 'tool-call',
      callId: 'fc_1',
      name: 'add',
      arguments: '{"a":2,"b":[3]}',
      signature: { protocol: 'gemini', form: 'signature', value: 'c2lnMg==' },
    },
    { kind: 'tool-call', callId: 'gemini_0123456789abcdef01234567', name: 'now', arguments: '' },
  ],
  finish: 'tool-calls',
  usage: { inputTotal: 30, cacheRead: 10, cacheWrite: null, outputTotal: 20, reasoning: 4 },
};

const REQUEST = { model: 'gemini-test-1', contents: 'hi' };

function client(baseUrl: string): GoogleGenAI {
  return new GoogleGenAI({ apiKey: 'test', httpOptions: { baseUrl } });
}

async function streamThrough(pieces: readonly (string | Uint8Array)[]) {
  return withWireServer(
    () => ({ type: 'text/event-stream', pieces }),
    async (address) => {
      const chunks = [];
      for await (const chunk of await client(address).models.generateContentStream(REQUEST))
        chunks.push(chunk);
      const candidates = chunks.map((chunk) => chunk.candidates?.[0]);
      const parts = candidates.flatMap((candidate) => candidate?.content?.parts ?? []);
      return { chunks, parts, finish: candidates.at(-1)?.finishReason, last: chunks.at(-1) };
    },
  );
}

describe('the official client', () => {
  test('reads our stream as the answer that we meant', async () => {
    const stream = gemini.encodeStream();
    const { parts, finish, last } = await streamThrough(
      responseToEvents(RESPONSE).map((event) => stream.push(event)),
    );
    expect(parts.flatMap(({ functionCall }) => (functionCall ? [functionCall] : []))).toEqual([
      { id: 'fc_1', name: 'add', args: { a: 2, b: [3] } },
      { name: 'now', args: {} },
    ]);
    expect(
      parts.flatMap(({ text, thought }) => (thought === true || text === undefined ? [] : [text])).join(''),
    ).toBe('Grüße 😀');
    expect(
      parts.flatMap(({ thoughtSignature }) => (thoughtSignature === undefined ? [] : [thoughtSignature])),
    ).toEqual(['c2ln', 'c2lnMg==']);
    expect(finish).toBe('STOP');
    expect(last?.usageMetadata).toMatchObject({
      promptTokenCount: 30,
      candidatesTokenCount: 16,
      thoughtsTokenCount: 4,
    });
    expect(last?.responseId).toBe('resp-1');
  });

  test('reads our whole answer', async () => {
    const { value } = gemini.encodeResponse(RESPONSE);
    const seen: SeenRequest[] = [];
    const response = await withWireServer(
      (request) => {
        seen.push(request);
        return { type: 'application/json', pieces: [JSON.stringify(value)] };
      },
      (address) => client(address).models.generateContent(REQUEST),
    );
    expect(response.candidates?.[0]?.content?.parts?.[1]).toEqual({ text: 'Grüße 😀' });
    expect(response.functionCalls).toEqual([
      { id: 'fc_1', name: 'add', args: { a: 2, b: [3] } },
      { name: 'now', args: {} },
    ]);
    expect(readGeminiPath(seen[0]?.path ?? '')).toEqual({ model: 'gemini-test-1' });
  });

  test('fails where we pass on a failure, and gets none of the words of the one behind us', async () => {
    const stream = gemini.encodeStream();
    const failure = await streamThrough([
      stream.push({ kind: 'response-start', id: 'r', model: 'm' }),
      stream.push({ kind: 'text-start', index: 0 }),
      stream.push({ kind: 'text-delta', index: 0, text: 'Hel' }),
      stream.push({ kind: 'response-error', code: 'model/provider-error', message: 'secret host' }),
    ]).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(String(failure)).not.toContain('secret');
  });

  test('sends requests that we can read and write again without a change', async () => {
    const seen: SeenRequest[] = [];
    await withWireServer(
      (request) => {
        seen.push(request);
        return { type: 'text/event-stream', pieces: [] };
      },
      async (address) => {
        const stream = await client(address).models.generateContentStream({
          model: 'gemini-test-1',
          contents: [
            {
              role: 'user',
              parts: [{ text: 'hi' }, { inlineData: { mimeType: 'image/png', data: 'AA==' } }],
            },
            {
              role: 'model',
              parts: [
                { functionCall: { name: 'add', args: { a: 1 } }, thoughtSignature: 'c2ln' },
                { functionCall: { name: 'add', args: { a: 2 } } },
              ],
            },
            {
              role: 'user',
              parts: [
                { functionResponse: { name: 'add', response: { sum: 1 } } },
                { functionResponse: { name: 'add', response: { error: 'no' } } },
              ],
            },
          ],
          config: {
            systemInstruction: { parts: [{ text: 'Be brief.' }] },
            temperature: 0.5,
            maxOutputTokens: 100,
            thinkingConfig: { thinkingBudget: 512, includeThoughts: true },
            tools: [
              {
                functionDeclarations: [
                  { name: 'add', description: 'Adds.', parametersJsonSchema: { type: 'object' } },
                ],
              },
              { googleSearch: {} },
            ],
            safetySettings: [],
          },
        });
        for await (const chunk of stream) expect(chunk).toBeDefined();
      },
    ).catch(() => undefined);
    const sent = JSON.parse(seen[0]?.body ?? '') as JsonValue;
    const decoded = gemini.decodeRequest(sent, readGeminiPath(seen[0]?.path ?? ''));
    const encoded = gemini.encodeRequest(decoded.value);
    expect([...decoded.losses, ...encoded.losses]).toEqual([]);
    expect(encoded.value.path).toBe('models/gemini-test-1:streamGenerateContent?alt=sse');
    expect(JSON.parse(JSON.stringify(encoded.value.body))).toEqual(sent);
  });

  // The client gives on the pieces of a call as they are, and we put them together.
  const others = ['malformed-call', 'partial-arguments'];

  test.each(recordings('gemini').filter(({ whole, name }) => whole !== undefined && !others.includes(name)))(
    'reads the recording $name, decoded and encoded again, as it was',
    async ({ bytes }) => {
      const stream = gemini.encodeStream();
      const pieces = decodeInPieces(gemini, bytes, 50).map((event) => stream.push(event));
      const [ours, theirs] = await Promise.all([streamThrough(pieces), streamThrough([bytes])]);
      const calls = (parts: typeof ours.parts) =>
        parts.flatMap(({ functionCall }) => (functionCall ? [{ args: {}, ...functionCall }] : []));
      const said = (parts: typeof ours.parts) =>
        parts.map(({ text = '', thought }) => (thought === true ? '' : text)).join('');
      expect(said(ours.parts)).toBe(said(theirs.parts));
      expect(ours.last?.usageMetadata?.totalTokenCount).toBe(theirs.last?.usageMetadata?.totalTokenCount);
      expect(ours.finish ?? 'none').toMatch(theirs.finish ?? /none|PROHIBITED_CONTENT/);
      const cut = theirs.finish === 'MAX_TOKENS';
      expect(calls(ours.parts)).toEqual(cut ? [] : calls(theirs.parts));
    },
  );
});
