import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { codecOf, type ModelCall, type Protocol } from '@toolgate/model';
import type { Refusal } from '../http/refusal.ts';
import type { Principal } from '../ports/principal.ts';
import { type CallRecord, createCallRecord } from './call-record.ts';
import { type ClientAnswer, type ClientAnswerOptions, createClientAnswer } from './client-answer.ts';
import type { ApprovalNeed } from './firewall/ask-approval.ts';
import type { LlmServices, LlmSettings } from './services.ts';

/** One HTTP request to a model's address, its key recognised and its body complete. */
export interface LlmRequest {
  readonly protocol: Protocol;
  readonly body: Uint8Array;
  readonly headers: IncomingHttpHeaders;
  readonly principal: Principal;
  /** Who presents its key now; `undefined` when it opens nothing any more. */
  readonly present: () => Promise<Principal | undefined>;
  /** The rules of a route by the configuration that serves now. */
  readonly rules: ApprovalNeed['rules'];
  readonly requestId: string;
  /** Nobody else writes to it. */
  readonly response: ServerResponse;
}

/** What serves a request besides routes. */
export interface AnswerContext {
  readonly services: LlmServices;
  readonly settings: LlmSettings;
  /** Number of the generation. */
  readonly generation: number;
}

/** The answer to a request, and the record of it. */
export interface BegunAnswer {
  readonly record: CallRecord;
  readonly answer: ClientAnswer;
  refuse(refusal: Refusal): void;
}

/** Route patterns, for traces. */
const PATHS: Readonly<Record<Protocol, string>> = {
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  anthropic: '/v1/messages',
  gemini: '/v1beta/models/{model}',
};

/** A status that is not sent: the client was gone. */
const CLIENT_GONE = 499;

/**
 * Prepares the answer to a request. However it ends, there is one entry in the traffic log for it.
 *
 * @param call - What is asked; `undefined` when that could not be read.
 */
export function beginAnswer(
  request: LlmRequest,
  call: ModelCall | undefined,
  { generation, services, settings }: AnswerContext,
): BegunAnswer {
  const { body, principal, protocol, requestId } = request;
  const { clock } = services;
  const record = createCallRecord({
    requestId,
    surface: protocol,
    principal,
    generation,
    requestBytes: body.byteLength,
    at: clock.now(),
    elapsed: clock.elapsed ?? clock.now,
  });
  record.model = call?.model;
  record.streamed = call?.stream === true;
  const traceParent = request.headers['traceparent'];
  services.watch.started({
    surface: protocol,
    id: requestId,
    method: 'POST',
    path: PATHS[protocol],
    traceParent: typeof traceParent === 'string' ? traceParent : undefined,
  });
  return new Begun(record, request, {
    codec: codecOf(protocol),
    stream: record.streamed,
    includeUsage: call?.streamUsage === true,
    services,
    settings,
  });
}

interface BegunOptions extends Pick<ClientAnswerOptions, 'codec' | 'includeUsage' | 'stream'> {
  readonly services: LlmServices;
  readonly settings: LlmSettings;
}

class Begun implements BegunAnswer {
  readonly record: CallRecord;
  readonly answer: ClientAnswer;
  readonly #services: LlmServices;
  #settled = false;

  constructor(record: CallRecord, { requestId, response }: LlmRequest, options: BegunOptions) {
    const { codec, includeUsage, services, settings, stream } = options;
    this.record = record;
    this.#services = services;
    this.answer = createClientAnswer({
      response,
      codec,
      requestId,
      stream,
      includeUsage,
      clock: services.clock,
      turns: services.turns,
      keepAliveMs: settings.keepAliveMs,
      stuckMs: settings.stuckMs,
      onSent: (status, bytes) => this.#settle(status, bytes),
    });
    response.on('close', () => this.#settle(CLIENT_GONE, this.answer.client?.bytes ?? 0));
  }

  refuse(refusal: Refusal): void {
    this.record.error ??= refusal.code;
    this.answer.refuse(refusal);
  }

  #settle(status: number, bytes: number): void {
    if (this.#settled) return;
    this.#settled = true;
    const entry = this.record.finish(status, bytes);
    this.#services.stores.traffic.record(entry);
    this.#services.onTraffic(entry);
  }
}
