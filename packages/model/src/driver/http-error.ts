import { readJson } from '@toolgate/core';
import { ModelError } from '../model-error.ts';
import { readBounded } from './read-bounded.ts';
import { redactSecrets } from './redact-secrets.ts';

const MAX_ERROR_BODY_BYTES = 65_536;
const MAX_MESSAGE_LENGTH = 300;

/** What is needed to tell about an answer that is not a success. */
export interface HttpErrorContext {
  readonly secrets: readonly string[];
  /** What was sent, without content; it becomes the cause. */
  readonly shape: string;
  readonly signal: AbortSignal;
}

const ADVICE: Readonly<Record<number, string>> = {
  400: 'The provider refused the request',
  401: 'The provider did not accept the key',
  403: 'The key may not use this model or address',
  404: 'The model or the address does not exist',
  408: 'The provider gave up waiting',
  413: 'The request was too large for the provider',
  429: 'The provider limits the rate or the quota is used up',
  529: 'The provider is overloaded',
};

/**
 * Turns an answer that is not a success into one clear sentence with status and request id. The provider's own
 * message is quoted shortened, on one line and without anything that looks like a credential.
 */
export async function httpError(
  response: Response,
  { secrets, shape, signal }: HttpErrorContext,
): Promise<ModelError> {
  const requestId = readRequestId(response.headers, secrets);
  const said = await providerMessage(response, secrets, signal);
  const advice =
    ADVICE[response.status] ??
    (response.status >= 500 ? 'The provider failed' : 'The provider answered with an error');
  const where =
    requestId === undefined ? `status ${response.status}` : `status ${response.status}, request ${requestId}`;
  return new ModelError('model/http-status', `${advice} (${where})${said === '' ? '.' : `: ${said}`}`, {
    status: response.status,
    ...(requestId === undefined ? {} : { requestId }),
    cause: new Error(shape),
  });
}

/** The provider's id of an exchange, for its support; only harmless characters. */
export function readRequestId(headers: Headers, secrets: readonly string[]): string | undefined {
  for (const name of ['x-request-id', 'request-id', 'x-goog-request-id', 'apim-request-id', 'cf-ray']) {
    const value = headers.get(name);
    if (value !== null && /^[\w.:-]{1,128}$/.test(value) && redactSecrets(value, secrets) === value)
      return value;
  }
  return undefined;
}

async function providerMessage(
  response: Response,
  secrets: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  let text: string;
  try {
    const bounds = { maxBytes: MAX_ERROR_BODY_BYTES, signal, cut: true };
    text = new TextDecoder().decode(await readBounded(response.body, bounds));
  } catch {
    return '';
  }
  const clean = redactSecrets(messageOf(text), secrets)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim();
  return clean.length <= MAX_MESSAGE_LENGTH ? clean : `${clean.slice(0, MAX_MESSAGE_LENGTH).toWellFormed()}…`;
}

/** `error.message`, `message` or `error` of a JSON body; nothing of a page of HTML. */
function messageOf(text: string): string {
  let body: unknown;
  try {
    body = readJson(text);
  } catch {
    return '';
  }
  const first = Array.isArray(body) ? body[0] : body;
  if (typeof first !== 'object' || first === null) return '';
  const { error, message, detail } = first as { error?: unknown; message?: unknown; detail?: unknown };
  if (typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string')
    return error.message;
  for (const candidate of [error, message, detail]) if (typeof candidate === 'string') return candidate;
  return '';
}
