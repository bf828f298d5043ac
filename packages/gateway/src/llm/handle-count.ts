import type { IncomingHttpHeaders } from 'node:http';
import type { RequestTarget } from '@toolgate/model';
import { type Refusal, refuse } from '../http/refusal.ts';
import { permitsTool } from '../ports/principal.ts';
import { invalidAnswer } from '../upstream/connection-failure.ts';
import type { Exchange } from '../upstream/exchange.ts';
import { statusFailure } from '../upstream/status-failure.ts';
import { beginAnswer, type LlmRequest } from './begin-answer.ts';
import type { CallContext } from './call-context.ts';
import { offerTools, withOffered } from './request/offered-tools.ts';
import { prepareRequest } from './request/prepare-request.ts';
import type { PreparedRequest } from './request/prepared-request.ts';
import type { Candidate } from './routes/route-table.ts';

const MAX_ANSWER_BYTES = 1024 * 1024;

/** Passes the counting of tokens on to the first candidate of the route that speaks the client's own protocol. */
export function handleCount(request: LlmRequest, target: RequestTarget, context: CallContext): void {
  const { principal, protocol, response } = request;
  const read = context.readCall(protocol, request.body, target);
  const begun = beginAnswer(request, read.kind === 'call' ? read.call.call : undefined, context);
  if (read.kind === 'refused') {
    begun.refuse(read.refusal);
    return;
  }
  const { call } = read.call;
  const route = context.routes.find(call.model, principal);
  const candidate = route?.candidates.find(({ provider }) => provider.protocol === protocol);
  if (route === undefined || candidate === undefined) {
    begun.refuse(refuse(route === undefined ? 'model_not_found' : 'method_unsupported'));
    return;
  }
  const { answer, record } = begun;
  record.route = route.config.name;
  record.candidate = candidate.name;
  const offered = offerTools(call, (tool) => permitsTool(principal, tool) && route.policy.permits(tool));
  const prepared = prepareRequest({
    client: read.call,
    clientHeaders: request.headers,
    candidate,
    offered,
    choosable: undefined,
    call: withOffered(call, offered) ?? call,
    edits: [],
    added: [],
    continuations: context.services.continuations,
    place: { principal: principal.id, candidate: candidate.name, protocol },
    strict: false,
  });
  if (prepared.kind === 'refused') {
    begun.refuse(prepared.refusal);
    return;
  }
  record.attempts = 1;
  const exchange = count(prepared.request, candidate, {
    done: (body) => {
      const writer = answer.open(true, prepared.request.losses);
      writer.emit({ events: [], raw: [body] });
      writer.end();
    },
    failed: (refusal) => begun.refuse(refusal),
    now: context.services.clock.now,
  });
  response.once('close', () => exchange.abort());
}

interface CountHandler {
  readonly done: (body: Uint8Array) => void;
  readonly failed: (refusal: Refusal) => void;
  readonly now: () => number;
}

function count(
  { body, headers, path: pathOf }: PreparedRequest,
  { provider }: Candidate,
  { done, failed, now }: CountHandler,
): Exchange {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let status = 0;
  let answered: IncomingHttpHeaders = {};
  // The same place as that of an answer, but for its last word.
  const path =
    provider.protocol === 'gemini'
      ? pathOf.replace(/:generateContent$/, ':countTokens')
      : 'messages/count_tokens';
  return provider.send(
    { method: 'POST', path, body, headers },
    {
      head(given, givenHeaders) {
        status = given;
        answered = givenHeaders;
      },
      data(chunk) {
        bytes += chunk.byteLength;
        if (bytes <= MAX_ANSWER_BYTES) chunks.push(chunk);
      },
      end() {
        const whole = Buffer.concat(chunks);
        if (status < 200 || status > 299) {
          const facts = { status, headers: answered, body: whole, secrets: provider.secrets(), now: now() };
          failed(statusFailure(facts).refusal);
        } else if (bytes > MAX_ANSWER_BYTES) failed(invalidAnswer().refusal);
        else done(whole);
      },
      fail: ({ refusal }) => failed(refusal),
    },
  );
}
