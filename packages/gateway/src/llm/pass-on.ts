import { applyEdits, type RequestTarget } from '@toolgate/model';
import { endResponse } from '../http/end-response.ts';
import { invalidAnswer } from '../upstream/connection-failure.ts';
import { MAX_ERROR_BYTES, statusFailure } from '../upstream/status-failure.ts';
import type { BegunAnswer, LlmRequest } from './begin-answer.ts';
import type { CallContext } from './call-context.ts';
import { passedHeaders } from './request/client-headers.ts';
import { wirePath } from './request/pass-request.ts';
import { isPassage } from './routes/is-passage.ts';
import type { Candidate, Route } from './routes/route-table.ts';

/** Where a request goes that nobody here understands. */
export interface Passage {
  readonly route: Route;
  readonly candidate: Candidate;
  /** The model that was asked for. */
  readonly model: string;
}

/**
 * The way for a request that is strict JSON and no request that this edition knows: only on a route that says in writing
 * to be a passage, has no firewall, and has a provider of the same protocol.
 */
export function findPassage(
  model: string,
  { principal, protocol }: LlmRequest,
  { routes }: CallContext,
): Passage | undefined {
  const route = routes.find(model, principal);
  if (route === undefined || !isPassage(route.config)) return undefined;
  const candidate = route.candidates.find(({ provider }) => provider.protocol === protocol);
  return candidate === undefined ? undefined : { route, candidate, model };
}

const HEADER_VALUE = /^[\t\x20-\x7e]{1,1024}$/;

/** Passes a request and its answer on as bytes. Nothing is held, and an answer that breaks off breaks the connection. */
export function passOn(
  { body, headers, protocol, requestId, response }: LlmRequest,
  { stream = false }: RequestTarget,
  { candidate, model, route }: Passage,
  begun: BegunAnswer,
  { services }: CallContext,
): void {
  const { provider } = candidate;
  const { record } = begun;
  const name = candidate.model ?? model;
  record.model = model;
  record.route = route.config.name;
  record.candidate = candidate.name;
  record.attempts = 1;
  let failing:
    | { readonly status: number; readonly headers: typeof headers; readonly chunks: Uint8Array[] }
    | undefined;
  let failingBytes = 0;
  let head: readonly [status: number, headers: Readonly<Record<string, string>>] | undefined;
  /** Not before there is something to say: an answer that cannot be unpacked is none. */
  const begin = (): void => {
    if (head !== undefined) response.writeHead(...head);
    head = undefined;
  };
  const exchange = provider.send(
    {
      method: 'POST',
      path: wirePath(protocol, name, stream),
      body: name === model ? body : applyEdits(protocol, body, [{ kind: 'set-model', model: name }]),
      headers: passedHeaders(protocol, headers),
    },
    {
      head(status, answered) {
        if (status < 200 || status > 299) failing = { status, headers: answered, chunks: [] };
        else {
          const type = answered['content-type'] ?? 'application/json';
          // What is packed in a way that is not known stays so, and the client would not know of it.
          if (!HEADER_VALUE.test(type) || answered['content-encoding'] !== undefined) {
            exchange.abort();
            begun.refuse(invalidAnswer().refusal);
            return;
          }
          head = [status, { 'content-type': type, 'x-request-id': requestId }];
        }
      },
      data(chunk) {
        begin();
        if (failing !== undefined) {
          if (failingBytes < MAX_ERROR_BYTES) failing.chunks.push(chunk);
          failingBytes += chunk.byteLength;
        } else if (!response.write(chunk)) exchange.pause();
      },
      end() {
        begin();
        if (failing === undefined) endResponse(response);
        else {
          const { chunks, headers: answered, status } = failing;
          const facts = {
            status,
            headers: answered,
            body: Buffer.concat(chunks).subarray(0, MAX_ERROR_BYTES),
          };
          begun.refuse(
            statusFailure({ ...facts, secrets: provider.secrets(), now: services.clock.now() }).refusal,
          );
        }
      },
      fail(failure) {
        if (response.headersSent) response.destroy();
        else begun.refuse(failure.refusal);
      },
    },
  );
  response.on('drain', () => exchange.resume());
  response.once('close', () => exchange.abort());
}
