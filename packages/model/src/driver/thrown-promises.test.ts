import type { LanguageModelV4 } from '@ai-sdk/provider';
import { systemClock } from '@toolgate/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask } from '../../test-support/ask.ts';
import { fromAiSdk } from '../ai-sdk/from-ai-sdk.ts';
import { codecOf } from '../codec/codecs.ts';
import type { Model } from '../model.ts';
import { createHttpModel } from './http-model.ts';
import type { HttpModelConfig } from './http-model-config.ts';

const rejected = (): Promise<never> => Promise.reject(new Error('planted'));

/** A slip for `await`. */
const slip = (): never => {
  throw rejected();
};
/** The same slip where it is waited for. */
const lateSlip = async (): Promise<never> => {
  await Promise.resolve();
  throw rejected();
};
/** A promise that is rejected with one. */
const nested = (): Promise<never> => Promise.reject(Promise.reject(rejected()));

const SLIPS: readonly (readonly [string, () => never])[] = [
  ['throws a promise', slip],
  ['rejects with a promise', lateSlip as () => never],
  ['rejects with a promise that is rejected with one', nested as () => never],
];

const chunk = (delta: object, reason: string | null): Uint8Array =>
  new TextEncoder().encode(
    `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, finish_reason: reason, delta }] })}

`,
  );
const CHUNK = chunk({ content: 'a' }, null);
const WHOLE = new Uint8Array([...CHUNK, ...new TextEncoder().encode('data: [DONE]\n\n')]);

const http = (config: Partial<HttpModelConfig>): Model =>
  createHttpModel({
    codec: codecOf('openai-chat'),
    baseUrl: 'http://localhost',
    model: 'm',
    retry: { attempts: 2, baseDelayMs: 1 },
    ...config,
  });
const answer = (source: UnderlyingDefaultSource<Uint8Array>, init: ResponseInit = {}): Model =>
  http({
    fetch: async () =>
      new Response(new ReadableStream(source), { headers: { 'content-type': 'text/event-stream' }, ...init }),
  });
const sdk = (doStream: () => unknown): Model =>
  fromAiSdk(
    { specificationVersion: 'v4', provider: 'own', modelId: 'm', doStream } as unknown as LanguageModelV4,
    { retry: { attempts: 2, baseDelayMs: 1 } },
  );
const fails = (hook: () => never) => (): never | Promise<never> => hook();

/** A call of a model whose own part makes a slip. */
const HOOKS: Readonly<Record<string, (hook: () => never) => Promise<unknown>>> = {
  'a fetch': (hook) => ask(http({ fetch: hook })),
  'a body before its first event': (hook) => ask(answer({ pull: fails(hook) })),
  'a body after its first event': (hook) =>
    ask(
      answer({
        pull: (sink) => (sink.desiredSize === 1 ? hook() : undefined),
        start: (sink) => sink.enqueue(CHUNK),
      }),
    ),
  'the end of a body': (hook) => ask(answer({ start: (sink) => sink.enqueue(WHOLE), cancel: fails(hook) })),
  'the end of a body of an unknown type': (hook) =>
    ask(answer({ cancel: fails(hook) }, { headers: { 'content-type': 'text/html' } })),
  'the end of a body of a redirect': (hook) => ask(answer({ cancel: fails(hook) }, { status: 302 })),
  'a body of a refusal': (hook) => ask(answer({ pull: fails(hook) }, { status: 500 })),
  'a body of a whole answer': (hook) => ask(answer({ pull: fails(hook) }, JSON_TYPE)),
  'a body that is left early': async (hook) => {
    const model = answer({ pull: (sink) => sink.enqueue(CHUNK), cancel: fails(hook) });
    for await (const event of model.stream(QUESTION, { signal: new AbortController().signal })) return event;
    return undefined;
  },
  'a fetch that comes too late': (hook) =>
    ask(
      http({
        fetch: () =>
          new Promise((resolve, reject) =>
            setTimeout(() => void Promise.resolve().then(hook).then(resolve, reject), 5),
          ),
        timeouts: { firstEventMs: 1 },
      }),
    ),
  'a language model': (hook) => ask(sdk(hook)),
  'the parts of a language model': (hook) =>
    ask(sdk(async () => ({ stream: new ReadableStream({ pull: fails(hook) }) }))),
  'the end of the parts of a language model': (hook) =>
    ask(
      sdk(async () => ({
        stream: new ReadableStream({
          start: (sink) => sink.enqueue({ type: 'finish', finishReason: { unified: 'stop' }, usage: {} }),
          cancel: fails(hook),
        }),
      })),
    ),
};
const JSON_TYPE = { headers: { 'content-type': 'application/json' } };
const QUESTION = { model: 'x', items: [] };

/** The same for what gives a value at once, whatever that is. */
const VALUES: typeof HOOKS = {
  'timers of a clock': (hook) => ask(http({ fetch: lateSlip, clock: { ...systemClock, setTimer: hook } })),
  'a random': (hook) => ask(http({ fetch: lateSlip, random: hook })),
  'a codec': (hook) => ask(http({ codec: { ...codecOf('openai-chat'), encodeRequest: hook } })),
  'a codec that reads': (hook) =>
    ask(
      http({
        codec: { ...codecOf('openai-chat'), decodeStream: hook },
        fetch: async () => new Response('data: 1\n\n'),
      }),
    ),
};

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on('unhandledRejection', note));
afterAll(() => void process.off('unhandledRejection', note));

async function expectEnd(ending: () => Promise<unknown>): Promise<void> {
  let ended: unknown;
  try {
    ended = await ending();
  } catch (error) {
    ended = error;
  }
  expect(ended).toBeTypeOf('object');
  expect(JSON.stringify(ended)).not.toContain('planted');
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(unhandled.splice(0)).toEqual([]);
}

describe.each(Object.entries(HOOKS))('%s', (_name, askWith) => {
  test.each(SLIPS)('that %s ends no process, and the call comes to an end', async (_slip, hook) => {
    await expectEnd(() => askWith(hook));
  });
});

describe.each(Object.entries(VALUES))('%s', (_name, askWith) => {
  test('that throws a promise ends no process, and the call comes to an end', async () => {
    await expectEnd(async () => askWith(slip));
  });
});

describe('a signal', () => {
  test.each([
    ['a promise that is rejected', rejected],
    ['a promise that is rejected with one', nested],
  ])('with %s ends no process, and the call comes to an end', async (_reason, reason) => {
    await expectEnd(() => ask(http({}), undefined, AbortSignal.abort(reason())));
    const controller = new AbortController();
    const fetch = (): Promise<never> => {
      controller.abort(reason());
      return new Promise(() => {});
    };
    await expectEnd(() => ask(http({ fetch }), undefined, controller.signal));
    await expectEnd(() => ask(sdk(fetch), undefined, AbortSignal.abort(reason())));
  });
});

test.each<readonly [string, Model]>([
  ['a fetch', http({ fetch: () => soon(undefined as never), timeouts: { firstEventMs: 1 } })],
  ['a fetch, a body in use,', http({ fetch: () => soon(used()), timeouts: { firstEventMs: 1 } })],
])('what is no answer and comes from %s too late ends no process', async (_name, model) => {
  await expectEnd(() => ask(model));
});

function soon<Value>(value: Value): Promise<Value> {
  return new Promise((resolve) => setTimeout(() => resolve(value), 5));
}

function used(): Response {
  const response = new Response('x');
  response.body?.getReader();
  return response;
}
