import { type JsonValue, readJson } from '@toolgate/core';
import type { ModelError } from '../model-error.ts';
import { askedAgain, isUsedUp } from './asked-again.ts';
import { readBounded } from './read-bounded.ts';
import { redactSecrets } from './redact-secrets.ts';
import { retryInfoMs } from './retry-info.ts';
import { quoted, statusError } from './status-error.ts';

const MAX_ERROR_BODY_BYTES = 65_536;

/** What is needed to tell about an answer that is not a success. */
export interface HttpErrorContext {
  readonly secrets: readonly string[];
  /** What was sent, without content; it becomes the cause. */
  readonly shape: string;
  readonly signal: AbortSignal;
}

/** An answer that is not a success. */
export interface HttpFailure {
  readonly failure: ModelError;
  /** When the provider wants to be asked again, where it says so in the body. */
  readonly askedMs: number | undefined;
  /** Whether it wants to be asked again at all, where it says so. */
  readonly again: boolean | undefined;
}

/**
 * Turns an answer that is not a success into one clear sentence with status and request id. The provider's own
 * message is quoted shortened, on one line and without anything that looks like a credential.
 */
export async function httpError(
  response: Response,
  { secrets, shape, signal }: HttpErrorContext,
): Promise<HttpFailure> {
  const requestId = readRequestId(response.headers, secrets);
  const body = await errorBody(response, signal);
  const said = quoted(messageOf(body), secrets);
  return {
    failure: statusError({ status: response.status, requestId, said, shape }),
    askedMs: retryInfoMs(body),
    again: askedAgain(response.headers, isUsedUp(body)),
  };
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

async function errorBody(response: Response, signal: AbortSignal): Promise<JsonValue | undefined> {
  try {
    const bounds = { maxBytes: MAX_ERROR_BODY_BYTES, signal, cut: true };
    return readJson(new TextDecoder().decode(await readBounded(response.body, bounds)));
  } catch {
    return undefined;
  }
}

/** `error.message`, `message` or `error` of a JSON body; nothing of a page of HTML. */
function messageOf(body: JsonValue | undefined): string {
  const first = Array.isArray(body) ? body[0] : body;
  if (typeof first !== 'object' || first === null) return '';
  const { error, message, detail } = first as { error?: unknown; message?: unknown; detail?: unknown };
  if (typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string')
    return error.message;
  for (const candidate of [error, message, detail]) if (typeof candidate === 'string') return candidate;
  return '';
}
