import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ModelCall, Protocol } from '@toolgate/model';
import { createScriptedModel } from '../scripted-model/create-scripted-model.ts';
import type { Script, ScriptedFault, ScriptedTurn } from '../scripted-model/script.ts';
import { createAnswer } from './answer.ts';
import { type ProviderRequest, readRequest, targetOf } from './read-request.ts';
import { toRefusal } from './refusal.ts';
import { wireError } from './wire-error.ts';

/** What a provider server speaks and says. */
export interface ProviderServerConfig {
  readonly protocol: Protocol;
  /**
   * One turn for each request, also for one that is answered with an error and sent again; or what makes the turn of a
   * request, for a provider that never comes to an end.
   */
  readonly script: Script | ((call: ModelCall) => ScriptedTurn);
  /** Requests that are kept to be looked at; the oldest go first. Default: all. */
  readonly maxRequests?: number;
  /** Requests without this key, in the protocol's own header or as a bearer token, get a 401. Default: no key is asked for. */
  readonly apiKey?: string;
  /** Most bytes of one write of a stream; few of them cut characters apart. Default: one write for each event. */
  readonly pieceBytes?: number;
}

/** A model provider on a local port. Close it. */
export interface ProviderServer {
  /** Without a path: what the clients of Anthropic and Google take. */
  readonly origin: string;
  /** With the version: what the drivers, and the client of OpenAI, take. */
  readonly baseUrl: string;
  /** Every request that was understood so far, up to `maxRequests`. */
  readonly requests: readonly ProviderRequest[];
  /** What the script did not expect, in order; the client got a 400 for it. */
  readonly failures: readonly Error[];
  /** Answers that are being given now. A client that goes away ends its answer. */
  readonly openAnswers: number;
  /** Settles when no answer is being given. */
  idle(): Promise<void>;
  /** Breaks every connection and frees the port. */
  close(): Promise<void>;
}

const KEY_HEADERS = ['x-api-key', 'api-key', 'x-goog-api-key'];

/**
 * Starts a provider on 127.0.0.1 that answers as a script says, streamed or whole, as the request asks. It is made of
 * the same codecs as the drivers, and accepted by the official clients.
 */
export async function createProviderServer(config: ProviderServerConfig): Promise<ProviderServer> {
  const { protocol, script, apiKey, maxRequests } = config;
  const requests: ProviderRequest[] = [];
  const failures: Error[] = [];
  const whole = typeof script === 'function' ? undefined : createScriptedModel(script);
  const answer = createAnswer(protocol, config.pieceBytes);
  let served = 0;
  let openAnswers = 0;
  let waiting: (() => void)[] = [];

  const refuse = (response: ServerResponse, status: number, message: string, fault?: ScriptedFault): void => {
    const headers = fault?.kind === 'error' ? fault.headers : undefined;
    response.writeHead(status, { ...headers, 'content-type': 'application/json', 'x-request-id': 'req_1' });
    response.end(JSON.stringify(wireError(protocol, status, message)));
  };
  const handle = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const target = message.method === 'POST' ? targetOf(protocol, message.url ?? '/') : undefined;
    if (target === undefined) return refuse(response, 404, 'There is nothing at this address.');
    if (apiKey !== undefined && !hasKey(message, apiKey)) return refuse(response, 401, 'The key is wrong.');
    let fault: ScriptedFault | undefined;
    try {
      const request = await readRequest(message, protocol, target);
      const turn = typeof script === 'function' ? script(request.call) : script.turns[served];
      fault = turn?.fault;
      served += 1;
      requests.push(request);
      if (maxRequests !== undefined && requests.length > maxRequests) requests.shift();
      const model = whole ?? createScriptedModel({ turns: turn === undefined ? [] : [turn] });
      const gone = new AbortController();
      response.once('close', () => gone.abort());
      await answer(request.call, model.stream(request.call, { signal: gone.signal }), fault, response);
    } catch (error) {
      const refusal = toRefusal(error);
      if (refusal.unexpected === true) failures.push(error as Error);
      if (response.headersSent || response.destroyed) response.destroy();
      else refuse(response, refusal.status, refusal.message, fault);
    }
  };
  const settle = (): void => {
    openAnswers -= 1;
    if (openAnswers > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  };

  const server = createServer((message, response) => {
    openAnswers += 1;
    response.once('close', settle);
    handle(message, response).catch(() => response.destroy());
  });
  const origin = `http://127.0.0.1:${await listen(server)}`;
  return Object.freeze({
    origin,
    baseUrl: `${origin}/${protocol === 'gemini' ? 'v1beta' : 'v1'}`,
    requests,
    failures,
    get openAnswers() {
      return openAnswers;
    },
    idle: () => (openAnswers === 0 ? Promise.resolve() : new Promise<void>((done) => waiting.push(done))),
    close: () => close(server),
  });
}

function hasKey({ headers }: IncomingMessage, apiKey: string): boolean {
  return headers.authorization === `Bearer ${apiKey}` || KEY_HEADERS.some((name) => headers[name] === apiKey);
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
