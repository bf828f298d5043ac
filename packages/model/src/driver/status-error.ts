import { ModelError } from '../model-error.ts';
import { redactSecrets } from './redact-secrets.ts';

const MAX_MESSAGE_LENGTH = 300;

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

/** What is known about an answer that is not a success. */
export interface StatusFacts {
  readonly status: number;
  readonly requestId: string | undefined;
  /** The provider's own words, as {@link quoted} gives them. */
  readonly said: string;
  /** What was sent, without content; it becomes the cause. */
  readonly shape: string;
}

/** One clear sentence with status and request id. */
export function statusError({ status, requestId, said, shape }: StatusFacts): ModelError {
  const advice =
    ADVICE[status] ?? (status >= 500 ? 'The provider failed' : 'The provider answered with an error');
  const where = requestId === undefined ? `status ${status}` : `status ${status}, request ${requestId}`;
  return new ModelError('model/http-status', `${advice} (${where})${said === '' ? '.' : `: ${said}`}`, {
    status,
    ...(requestId === undefined ? {} : { requestId }),
    cause: new Error(shape),
  });
}

/** Words of a provider shortened, on one line and without anything that looks like a credential. */
export function quoted(text: string, secrets: readonly string[]): string {
  const clean = redactSecrets(text, secrets)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim();
  return clean.length <= MAX_MESSAGE_LENGTH ? clean : `${clean.slice(0, MAX_MESSAGE_LENGTH).toWellFormed()}…`;
}
