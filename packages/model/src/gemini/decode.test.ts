import type { JsonValue } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import { GROWTH, growth } from '../../../../test/support/growth.ts';
import { collectResponse } from '../event/collect-response.ts';
import { gemini } from './gemini.ts';
import { readGeminiPath } from './gemini-path.ts';

describe('a request', () => {
  const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];

  test.each<[string, JsonValue, string]>([
    ['a text', 'x', ''],
    ['no contents', {}, '/contents'],
    ['a content that is no object', { contents: ['x'] }, '/contents/0'],
    ['an unknown role', { contents: [{ role: 'tool', parts: [] }] }, '/contents/0/role'],
    ['a part that is no object', { contents: [{ parts: [1] }] }, '/contents/0/parts/0'],
    [
      'a call without a name',
      { contents: [{ role: 'model', parts: [{ functionCall: {} }] }] },
      '/contents/0/parts/0/functionCall/name',
    ],
    [
      'arguments that are a text',
      { contents: [{ role: 'model', parts: [{ functionCall: { name: 'a', args: 'x' } }] }] },
      '/contents/0/parts/0/functionCall/args',
    ],
    [
      'a result that answers no call',
      { contents: [{ role: 'user', parts: [{ functionResponse: { name: 'a', response: {} } }] }] },
      '/contents/0/parts/0/functionResponse',
    ],
    [
      'a tool without a name',
      { contents, tools: [{ functionDeclarations: [{}] }] },
      '/tools/0/functionDeclarations/0/name',
    ],
    [
      'a system of images',
      { contents, systemInstruction: { parts: [{ inlineData: {} }] } },
      '/systemInstruction/parts/0',
    ],
    [
      'a temperature that is a text',
      { contents, generationConfig: { temperature: 'x' } },
      '/generationConfig/temperature',
    ],
  ])('%s is refused with its place', (_, body, pointer) => {
    expect(() => gemini.decodeRequest(body, { model: 'm' })).toThrow(
      expect.objectContaining({ code: 'model/request-invalid', pointer }),
    );
  });

  test('the model comes from the target or the body, and without one the request is refused', () => {
    expect(gemini.decodeRequest({ contents, model: 'models/x' }).value.model).toBe('x');
    expect(gemini.decodeRequest({ contents }, { model: 'y', stream: true }).value).toMatchObject({
      model: 'y',
      stream: true,
    });
    expect(() => gemini.decodeRequest({ contents })).toThrow(expect.objectContaining({ pointer: '/model' }));
  });

  test('what is not known stays foreign and goes back as it came', () => {
    const body = {
      safetySettings: [{ category: 'X', threshold: 'Y' }],
      cachedContent: 'cachedContents/1',
      contents: [
        {
          role: 'user',
          parts: [
            { text: 'x', videoMetadata: {} },
            { fileData: { fileUri: 'gs://b/f', mimeType: 'video/mp4' } },
          ],
        },
        {
          role: 'model',
          parts: [{ executableCode: { language: 'PYTHON', code: '1' } }, { fromTheFuture: [null] }],
        },
      ],
      tools: [{ functionDeclarations: [{ name: 'f', behavior: 'BLOCKING' }] }, { googleSearch: {} }],
      toolConfig: { retrievalConfig: { languageCode: 'de' } },
      generationConfig: { responseModalities: ['TEXT'], thinkingConfig: { includeThoughts: false } },
    };
    const { value, losses } = gemini.decodeRequest(body, { model: 'm' });
    expect(losses).toEqual([]);
    const again = gemini.encodeRequest(value);
    expect(again.losses).toEqual([]);
    expect(again.value.body).toEqual(body);
  });
});

describe('a path', () => {
  test.each([
    ['/v1beta/models/gemini-2.5-flash:generateContent', { model: 'gemini-2.5-flash' }],
    [
      '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
      { model: 'gemini-2.5-flash', stream: true },
    ],
    ['models/a%3Ab:generateContent?key=x', { model: 'a:b' }],
    ['/v1beta/models/qwen3:8b:generateContent', { model: 'qwen3:8b' }],
    [
      '/v1beta/models/vendor/large:free:streamGenerateContent?alt=sse',
      { model: 'vendor/large:free', stream: true },
    ],
    ['tunedModels/x:generateContent', { model: 'tunedModels/x' }],
    ['/v1beta/models/x?y=:generateContent', undefined],
    ['/v1beta/models/:generateContent', undefined],
    ['/v1beta/models/x:countTokens', undefined],
    ['/v1beta/models', undefined],
    ['models/%zz:generateContent', undefined],
  ])('%s', (path, target) => {
    expect(readGeminiPath(path)).toEqual(target);
  });

  test('is read in time that grows with its length', () => {
    const read = (size: number): void => {
      for (const part of ['models/', ':generateContent'])
        expect(readGeminiPath(`/models/${part.repeat(size)}x`)).toBeUndefined();
    };
    expect(growth(read, 6_000)).toBeLessThan(GROWTH * 4);
  });
});

describe('an answer', () => {
  const answer = (parts: JsonValue, finishReason: string) =>
    gemini.decodeResponse({ candidates: [{ content: { parts }, finishReason }] }).value;

  test.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content-filter'],
    ['RECITATION', 'content-filter'],
    ['SPII', 'content-filter'],
    ['MALFORMED_FUNCTION_CALL', 'error'],
    ['MALFORMED_RESPONSE', 'error'],
    ['MISSING_THOUGHT_SIGNATURE', 'error'],
    ['OTHER', 'error'],
    ['CONTINUATION', 'paused'],
    ['SOMETHING_NEW', 'unknown'],
  ])('%s is %s', (word, finish) => {
    expect(answer([{ text: 'x' }], word)).toMatchObject({ finish, finishDetail: word });
  });

  test.each(['MAX_TOKENS', 'SAFETY', 'OTHER', 'SOMETHING_NEW', ''])(
    'a call before %j is not finished',
    (word) => {
      const { incomplete, items } = answer([{ functionCall: { name: 'a' } }], word);
      expect(incomplete).toEqual(items.map((item) => (item as { callId: string }).callId));
    },
  );

  test.each(['SAFETY', 'OTHER', 'BLOCKED_REASON_UNSPECIFIED', 'SOMETHING_NEW'])(
    'to a prompt that was blocked is filtered, whole and streamed, for %s',
    (blockReason) => {
      const body = { promptFeedback: { blockReason }, usageMetadata: { promptTokenCount: 5 } };
      expect(gemini.decodeResponse(body).value).toMatchObject({ items: [], finish: 'content-filter' });
      const decoder = gemini.decodeStream();
      decoder.push(new TextEncoder().encode(`data: ${JSON.stringify(body)}\n\n`));
      expect(decoder.end().at(-1)).toMatchObject({ kind: 'response-end', finish: 'content-filter' });
    },
  );

  test.each([[{}], [{ candidates: [] }], [{ candidates: [], usageMetadata: { promptTokenCount: 5 } }]])(
    'without a candidate and without a reason is none: %j',
    (body) => {
      expect(() => gemini.decodeResponse(body)).toThrow(
        expect.objectContaining({ code: 'model/response-invalid', pointer: '/candidates' }),
      );
    },
  );

  test('an error body is the provider’s failure, in its code and not its words', () => {
    const body = { error: { code: 503, status: 'UNAVAILABLE', message: 'host 10.0.0.1 is down' } };
    expect(() => gemini.decodeResponse(body)).toThrow(
      expect.objectContaining({
        code: 'model/provider-error',
        message: expect.not.stringContaining('10.0.0.1'),
      }),
    );
  });

  test('a call that comes in pieces is refused outside of a stream, and never half a call in one', () => {
    const part = {
      functionCall: { name: 'a', partialArgs: [{ jsonPath: '$.x', stringValue: 'y' }], willContinue: true },
    };
    expect(() => answer([part], 'STOP')).toThrow(expect.objectContaining({ code: 'model/response-invalid' }));
    const decoder = gemini.decodeStream();
    const chunk = { candidates: [{ content: { parts: [part] }, finishReason: 'STOP' }] };
    const events = decoder.push(new TextEncoder().encode(`data: ${JSON.stringify(chunk)}\n\n`));
    expect(collectResponse([...events, ...decoder.end()])).toMatchObject({
      finish: 'unknown',
      incomplete: [expect.any(String)],
    });
  });
});

describe('an answer for a client', () => {
  const base = { id: null, model: null, usage: null } as const;
  const broken = { kind: 'tool-call', callId: 'c', name: 'a', arguments: '{"x":' } as const;

  test('a finished call whose arguments are no object makes the answer malformed', () => {
    const { value } = gemini.encodeResponse({ ...base, items: [broken], finish: 'tool-calls' });
    expect(value).toMatchObject({
      candidates: [{ content: { parts: [] }, finishReason: 'MALFORMED_FUNCTION_CALL' }],
    });
    const stream = gemini.encodeStream();
    const text = [
      stream.push({ kind: 'response-start', id: null, model: null }),
      stream.push({ kind: 'call-start', index: 0, callId: 'c', name: 'a' }),
      stream.push({ kind: 'call-delta', index: 0, delta: '{"x":' }),
      stream.push({ kind: 'call-end', index: 0, callId: 'c', name: 'a', arguments: '{"x":' }),
      stream.push({ kind: 'response-end', finish: 'tool-calls' }),
    ].join('');
    expect(text).toContain('MALFORMED_FUNCTION_CALL');
    expect(text).not.toContain('functionCall');
  });

  test('unknown counts are left out and never 0', () => {
    const usage = { inputTotal: 5, cacheRead: null, cacheWrite: null, outputTotal: null, reasoning: null };
    const { value } = gemini.encodeResponse({ ...base, items: [], finish: 'stop', usage });
    expect(value['usageMetadata']).toEqual({ promptTokenCount: 5 });
  });
});
