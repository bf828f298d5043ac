import { inspect } from 'node:util';
import { APICallError, type LanguageModelV4, type LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { createFakeClock } from '@toolgate/testing';
import { describe, expect, test } from 'vitest';
import { ask, QUESTION } from '../../test-support/ask.ts';
import { collectResponse } from '../event/collect-response.ts';
import { type AiSdkModelOptions, fromAiSdk } from './from-ai-sdk.ts';

type Stream = ReadableStream<LanguageModelV4StreamPart>;

const SECRET = 'planted-secret-0123456789';

/** A language model whose stream is made by the test. */
function languageModel(doStream: LanguageModelV4['doStream']): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'test.chat',
    modelId: 'm',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('nobody asks for a whole answer')),
    doStream,
  };
}

function setUp(doStream: LanguageModelV4['doStream'], options: AiSdkModelOptions = {}) {
  const clock = createFakeClock();
  const timeouts = { firstEventMs: 1000, betweenEventsMs: 300, totalMs: 5000 };
  const model = fromAiSdk(languageModel(doStream), {
    clock,
    timeouts,
    random: () => 0,
    retry: { attempts: 1 },
    ...options,
  });
  return { clock, model };
}

const never = (): Promise<never> => new Promise(() => undefined);

function streamOf(...parts: readonly LanguageModelV4StreamPart[]): Stream {
  return new ReadableStream({
    start: (controller) => {
      for (const part of parts) controller.enqueue(part);
    },
    // Never says that it is closed.
    cancel: never,
  });
}

describe('a language model that is silent', () => {
  test('and does not listen to its signal is left after the time to its first event', async () => {
    const { clock, model } = setUp(never);
    const refused = expect(ask(model)).rejects.toMatchObject({ code: 'model/timeout' });
    await clock.advance(1000);
    await refused;
    expect(clock.pending).toBe(0);
  });

  test('in mid-answer, and never closes, is left with what it said', async () => {
    const parts: readonly LanguageModelV4StreamPart[] = [
      { type: 'text-start', id: 'a' },
      { type: 'text-delta', id: 'a', delta: 'ja' },
    ];
    const { clock, model } = setUp(() => Promise.resolve({ stream: streamOf(...parts) }));
    const result = ask(model);
    await clock.advance(0);
    await clock.advance(300);
    const events = await result;
    expect(events.at(-1)).toMatchObject({ kind: 'response-error', code: 'model/timeout' });
    expect(collectResponse(events).items).toMatchObject([{ parts: [{ text: 'ja' }] }]);
    expect(clock.pending).toBe(0);
  });

  test('ends with its caller', async () => {
    const { model } = setUp(never);
    const controller = new AbortController();
    const refused = expect(ask(model, QUESTION, controller.signal)).rejects.toMatchObject({
      code: 'model/cancelled',
    });
    controller.abort(new Error(SECRET));
    await refused;
  });
});

const apiError = (statusCode: number | undefined, headers: Record<string, string> = {}): APICallError =>
  new APICallError({
    message: `it failed for ${SECRET}`,
    url: `https://example.org/?key=${SECRET}`,
    requestBodyValues: { prompt: `private ${SECRET}` },
    ...(statusCode === undefined ? {} : { statusCode }),
    responseHeaders: { 'x-request-id': 'r-1', ...headers },
    responseBody: SECRET,
  });

const THROWS: readonly (readonly [string, () => unknown, string])[] = [
  ['an error of its API', () => apiError(401), 'model/http-status'],
  ['an error of its API without a status', () => apiError(undefined), 'model/connection-failed'],
  ['a plain error', () => new Error(SECRET, { cause: { key: SECRET } }), 'model/provider-error'],
  ['a text', () => `no ${SECRET}`, 'model/provider-error'],
  ['nothing', () => undefined, 'model/provider-error'],
  [
    'an error that cannot be read',
    () =>
      new Proxy(
        {},
        {
          get: () => {
            throw new Error(SECRET);
          },
        },
      ),
    'model/provider-error',
  ],
  [
    'an error for what it cannot do',
    () => Object.assign(new Error('no'), { name: 'AI_UnsupportedFunctionalityError' }),
    'model/not-encodable',
  ],
];

describe('a language model that fails', () => {
  test.each(THROWS)('with %s has a name and shows nothing of the request', async (_, make, code) => {
    for (const doStream of [
      () => Promise.reject(make()),
      () => {
        throw make();
      },
    ]) {
      const { model } = setUp(doStream, { secrets: [SECRET] });
      const error = await ask(model).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ name: 'ModelError', code });
      const shown = `${inspect(error, { depth: 20, showHidden: true })}${JSON.stringify(error)}${String(error)}`;
      expect(shown).not.toContain(SECRET);
      expect(shown).not.toContain('private');
    }
  });

  test.each(THROWS)('with %s in its stream ends as a failure', async (_, make) => {
    const { model } = setUp(() => Promise.resolve({ stream: streamOf({ type: 'error', error: make() }) }));
    const events = await ask(model, QUESTION);
    expect(events.at(-1)).toMatchObject({ kind: 'response-error', code: expect.stringMatching(/^model\//) });
  });

  test('is asked again after the time that it asks for, and no more often than allowed', async () => {
    let asked = 0;
    const clock = createFakeClock();
    const model = fromAiSdk(
      languageModel(() => {
        asked += 1;
        return Promise.reject(apiError(529, { 'retry-after': '2' }));
      }),
      { clock, retry: { attempts: 2 } },
    );
    const refused = expect(ask(model)).rejects.toMatchObject({ status: 529, requestId: 'r-1' });
    await clock.advance(0);
    await clock.advance(1999);
    expect(asked).toBe(1);
    await clock.advance(1);
    await refused;
    expect(asked).toBe(2);
  });
});

test.each([[null], [undefined], [{}], [{ type: 7 }], ['text'], [{ type: 'text-delta' }]])(
  'a part that is %j does not throw out of the model',
  async (part) => {
    const stream = streamOf(part as unknown as LanguageModelV4StreamPart, { type: 'error', error: 'end' });
    const { model } = setUp(() => Promise.resolve({ stream }));
    expect((await ask(model)).at(-1)).toMatchObject({ kind: 'response-error' });
  },
);

test('an answer over its bound ends as a failure', async () => {
  const delta = 'x'.repeat(1024 * 1024);
  const stream: Stream = new ReadableStream({
    start: (controller) => controller.enqueue({ type: 'text-start', id: 'a' }),
    pull: (controller) => controller.enqueue({ type: 'text-delta', id: 'a', delta }),
  });
  const { model } = setUp(() => Promise.resolve({ stream }));
  let last: unknown;
  for await (const event of model.stream(QUESTION, { signal: new AbortController().signal })) last = event;
  expect(last).toMatchObject({ kind: 'response-error', code: 'model/response-too-large' });
});

describe('a language model whose provider says whether it wants to be asked again', () => {
  test.each([
    ['its account is used up', { data: { error: { code: 'insufficient_quota' } } }],
    ['its provider wants that', { responseHeaders: { 'x-should-retry': 'false' } }],
  ])('is not asked again when %s', async (_, facts) => {
    let asked = 0;
    const { model } = setUp(
      () => {
        asked += 1;
        return Promise.reject(Object.assign(apiError(429), facts));
      },
      { retry: { attempts: 2 } },
    );
    await expect(ask(model)).rejects.toMatchObject({ status: 429 });
    expect(asked).toBe(1);
  });
});

test.each<[string, unknown, string]>([
  ['nothing, as of a missing import', undefined, 'v4: one of'],
  ['a name', 'openai/gpt-x', 'v4: one of'],
  [
    'a model of an older specification',
    { ...languageModel(never), specificationVersion: 'v2' },
    'and not "v2"',
  ],
])('%s is refused at once, with what it takes', (_, value, words) => {
  expect(() => fromAiSdk(value as LanguageModelV4)).toThrow(
    expect.objectContaining({ code: 'model/options-invalid', message: expect.stringContaining(words) }),
  );
});
