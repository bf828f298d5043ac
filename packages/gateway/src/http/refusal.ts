/** Everything the gateway itself answers instead of what was asked for: code, status, and the text for the client. */
export const REFUSALS = {
  key_invalid: { status: 401, text: 'The API key is missing or not known.' },
  host_forbidden: { status: 403, text: 'The gateway is not addressed by this host name.' },
  origin_forbidden: { status: 403, text: 'Requests from this origin are not allowed.' },
  admin_required: { status: 403, text: 'The key may not use the admin API.' },
  not_found: { status: 404, text: 'There is nothing at this address.' },
  method_not_allowed: { status: 405, text: 'The address does not know this method.' },
  model_not_found: { status: 404, text: 'The model does not exist or the key may not use it.' },
  media_type_unsupported: {
    status: 415,
    text: 'The body must be application/json, in an encoding that is read here.',
  },
  body_too_large: { status: 413, text: 'The body is too large.' },
  body_malformed: { status: 400, text: 'The body is not one strict JSON text.' },
  request_invalid: { status: 400, text: 'The body is not a request of this protocol.' },
  query_unsupported: { status: 400, text: 'The query is not supported.' },
  method_unsupported: { status: 400, text: 'No candidate of the route knows this method.' },
  tool_unavailable: { status: 400, text: 'The tool choice demands a tool that is not available.' },
  tool_name_ambiguous: { status: 400, text: 'Two tools of the request have the same whole name.' },
  answer_count_unsupported: { status: 400, text: 'Only one answer can be asked for where tools are given.' },
  translation_refused: { status: 400, text: 'The request cannot be carried to the provider as it is.' },
  history_invalid: { status: 400, text: 'Calls and results of the conversation do not fit together.' },
  entry_invalid: { status: 400, text: 'The request cannot be used.' },
  arguments_invalid: { status: 422, text: 'The contract of the tool does not admit the arguments.' },
  approval_own: { status: 403, text: 'Who asks for a call may not approve it; somebody else has to.' },
  approval_settled: { status: 409, text: 'The approval was settled before.' },
  storage_unavailable: { status: 503, text: 'The storage of the gateway does not answer.' },
  storage_damaged: { status: 500, text: 'What is stored was changed or damaged.' },
  rate_limited: { status: 429, text: 'The key has used up its requests for now.' },
  too_many_requests: { status: 429, text: 'Too many requests of the key are in flight.' },
  overloaded: { status: 503, text: 'The gateway has too many requests in flight.' },
  draining: { status: 503, text: 'The gateway is being stopped.' },
  upstream_unreachable: { status: 502, text: 'The provider could not be reached.' },
  upstream_failed: { status: 502, text: 'The provider failed.' },
  upstream_overloaded: { status: 503, text: 'The provider is overloaded.' },
  upstream_limited: { status: 429, text: 'The provider limits the rate.' },
  upstream_timeout: { status: 504, text: 'The provider did not answer in time.' },
  upstream_misconfigured: { status: 502, text: 'The provider did not accept the gateway.' },
  upstream_refused: { status: 400, text: 'The provider refused the request.' },
  // The words by which clients of OpenAI and of Anthropic know that they have to shorten the conversation.
  context_length_exceeded: { status: 400, text: 'The provider refused the request: prompt is too long.' },
  upstream_invalid: { status: 502, text: 'The provider gave an answer that cannot be read.' },
  internal_error: { status: 500, text: 'The gateway failed.' },
} as const;

/** A code of {@link REFUSALS}; stable, and safe to log. */
export type RefusalCode = keyof typeof REFUSALS;

/** An answer that is not what was asked for. Frozen; nothing in it is secret. */
export interface Refusal {
  readonly code: RefusalCode;
  readonly status: number;
  readonly message: string;
  /** Where in the body (RFC 6901). */
  readonly pointer?: string;
  /** When to come back. */
  readonly retryAfterSeconds?: number;
}

/** What a refusal may say besides its code. */
export interface RefusalDetails {
  /** Instead of the code's own status. */
  readonly status?: number;
  /** Added to the code's own text. */
  readonly detail?: string;
  readonly pointer?: string;
  readonly retryAfterSeconds?: number;
}

/** Makes a refusal with the text and status of its code. */
export function refuse(code: RefusalCode, details: RefusalDetails = {}): Refusal {
  const { status, detail, pointer, retryAfterSeconds } = details;
  const entry = REFUSALS[code];
  return Object.freeze({
    code,
    status: status ?? entry.status,
    message: detail === undefined || detail === '' ? entry.text : `${entry.text} ${detail}`,
    ...(pointer === undefined ? {} : { pointer }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}
