import type { JsonObject } from '@toolgate/core';
import type { ModelEvent, ModelResponse, Protocol } from '@toolgate/model';
import { codecOf, collectResponse } from '@toolgate/model';
import { type GatewaySetup, type TestGateway, withGateway } from './gateway-fixture.ts';
import { post, type RawAnswered } from './post.ts';
import { type RawAnswer, type RawProvider, sendEvents, sendJson, startRawProvider } from './raw-provider.ts';
import { basePath, oddRequest, readStream, surfacePath, wireAnswer, wireStream } from './wire-samples.ts';

/** One exchange through a gateway whose only provider says what a test wants. */
export interface RawExchange {
  readonly surface: Protocol;
  readonly backend: Protocol;
  readonly stream: boolean;
  readonly setup?: Omit<GatewaySetup, 'providers'>;
  /** What the provider answers, request by request. */
  readonly turns: readonly (readonly ModelEvent[])[];
  /** Bodies of the client, sent one after the other. Default: the odd request. */
  readonly bodies?: readonly (JsonObject | string)[];
}

/** What came of it. */
export interface Exchanged {
  readonly answered: RawAnswered;
  /** What the client understands. */
  readonly response: ModelResponse;
  /** What the provider was sent. */
  readonly sent: readonly JsonObject[];
  readonly provider: RawProvider;
  readonly gateway: TestGateway;
}

/** Uses a gateway before a provider that sends what a test says; the model is `m`. */
export async function withRawProvider<Result>(
  backend: Protocol,
  answers: readonly RawAnswer[],
  setup: Omit<GatewaySetup, 'providers'>,
  use: (gateway: TestGateway, provider: RawProvider) => Promise<Result>,
): Promise<Result> {
  const provider = await startRawProvider(...answers);
  try {
    const providers = { m: { protocol: backend, baseUrl: `${provider.origin}${basePath(backend)}` } };
    return await withGateway({ ...setup, providers }, (gateway) => use(gateway, provider));
  } finally {
    await provider.close();
  }
}

/** The answer of a provider that says these events. */
export function answerOf(backend: Protocol, stream: boolean, events: readonly ModelEvent[]): RawAnswer {
  return stream ? sendEvents(wireStream(backend, events)) : sendJson(wireAnswer(backend, events));
}

const NO_ANSWER: ModelResponse = { id: null, model: null, items: [], finish: 'error', usage: null };

/** Sends the odd request once and reads the answer. */
export async function exchange<Result>(
  { backend, bodies, setup = {}, stream, surface, turns }: RawExchange,
  use: (exchanged: Exchanged) => Promise<Result> | Result,
): Promise<Result> {
  const answers = turns.map((events) => answerOf(backend, stream, events));
  return withRawProvider(backend, answers, setup, async (gateway, provider) => {
    const url = `${gateway.url}${surfacePath(surface, stream)}`;
    let answered: RawAnswered | undefined;
    for (const body of bodies ?? [oddRequest(surface, stream)]) {
      answered = await post(url, typeof body === 'string' ? body : JSON.stringify(body));
    }
    if (answered === undefined) throw new Error('nothing was asked');
    const { body, status } = answered;
    const response = status === 200 ? readAnswer(surface, stream, body) : NO_ANSWER;
    const sent = provider.requests.map((request) => JSON.parse(request.body.toString('utf8')) as JsonObject);
    return use({ answered, response, sent, provider, gateway });
  });
}

/** What a client of a protocol understands of an answer. */
export function readAnswer(surface: Protocol, stream: boolean, body: string): ModelResponse {
  if (stream) return collectResponse(readStream(surface, body));
  return codecOf(surface).decodeResponse(
    JSON.parse(body) as Parameters<ReturnType<typeof codecOf>['decodeResponse']>[0],
  ).value;
}

/** All text of an answer. */
export function textOf({ items }: ModelResponse): string {
  return items
    .flatMap((item) => (item.kind === 'message' ? item.parts : []))
    .map((part) => (part.kind === 'text' ? part.text : ''))
    .join('');
}

/** The calls of an answer, as name and argument text. */
export function callsOf({ incomplete = [], items }: ModelResponse): readonly (readonly [string, string])[] {
  return items.flatMap((item) =>
    item.kind === 'tool-call' && !incomplete.includes(item.callId)
      ? [[item.name, item.arguments] as const]
      : [],
  );
}
