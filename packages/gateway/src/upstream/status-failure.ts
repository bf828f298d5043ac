import type { IncomingHttpHeaders } from 'node:http';
import { readJson } from '@toolgate/core';
import { redactSecrets } from '@toolgate/model';
import { type RefusalCode, refuse } from '../http/refusal.ts';
import { withoutMark } from '../internal/without-mark.ts';
import { hasAccountWord, isAccountFault, isUsedUp } from './account-fault.ts';
import { isContentRefusal } from './content-refusal.ts';
import { isContextOverflow } from './context-overflow.ts';
import type { UpstreamFailure } from './upstream-failure.ts';

/** Bytes of an error body that are looked at. */
export const MAX_ERROR_BYTES = 65_536;
const MAX_QUOTE_LENGTH = 300;

/** Statuses of a request that is at fault itself; the client learns them as they are. */
const CLIENT_FAULTS: ReadonlySet<number> = new Set([400, 404, 409, 413, 422]);

/** An answer of a provider that is no success. */
export interface StatusAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The first bytes of its body. */
  readonly body: Uint8Array;
  /** Exact texts that must not be quoted. */
  readonly secrets: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * What a status means for the client. The provider's words are quoted, shortened and redacted, only where it refuses
 * the request itself; what it says about the gateway's own account is not the client's business.
 */
export function statusFailure(answer: StatusAnswer): UpstreamFailure {
  const { status } = answer;
  const said = errorOf(answer.body);
  const code = codeOf(status, said);
  const askedMs =
    code === 'upstream_limited' || status >= 500 ? (retryAfterMs(answer) ?? said.retryDelayMs) : undefined;
  const refused = code === 'upstream_refused';
  return Object.freeze({
    kind: 'status',
    refusal: refuse(
      refused && isContextOverflow(said.code, said.message) ? 'context_length_exceeded' : code,
      {
        ...(refused && CLIENT_FAULTS.has(status) ? { status } : {}),
        ...(refused ? { detail: quote(said.message, answer.secrets) } : {}),
        ...(askedMs === undefined ? {} : { retryAfterSeconds: Math.ceil(askedMs / 1_000) }),
      },
    ),
    retryable: isPassing(status) || (status >= 400 && status !== 407 && code === 'upstream_misconfigured'),
    ...restOf(askedMs ?? (isAccount(status, said) ? ACCOUNT_REST_MS : undefined)),
  });
}

/** An account that is refused is so for the next request as well; it is asked again, as somebody may have paid or allowed it. */
const ACCOUNT_REST_MS = 60_000;

/**
 * Whether the account is refused whatever it asks for. 403 may be about what was asked, and so may a sentence: one client must
 * not put a provider last for all others.
 */
function isAccount(status: number, { words }: SaidError): boolean {
  if (status === 401 || status === 402) return true;
  return (status === 429 && isUsedUp(words)) || (CLIENT_FAULTS.has(status) && hasAccountWord(words));
}

function restOf(retryAfterMs: number | undefined): Pick<UpstreamFailure, 'retryAfterMs'> {
  return retryAfterMs === undefined ? {} : { retryAfterMs };
}

/** Whether a status says nothing against the request, which may be answered elsewhere or later. */
function isPassing(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && status !== 501 && status !== 505);
}

function codeOf(status: number, said: SaidError): RefusalCode {
  if (status === 429) return 'upstream_limited';
  if (status === 408 || status === 504) return 'upstream_timeout';
  if (status === 503 || status === 529) return 'upstream_overloaded';
  if (status >= 500) return 'upstream_failed';
  if (status === 403 && isContentRefusal(said.words, said.message)) return 'upstream_refused';
  if (status < 400 || status === 401 || status === 402 || status === 403 || status === 407) {
    return 'upstream_misconfigured';
  }
  return isAccountFault(said.words, said.message) ? 'upstream_misconfigured' : 'upstream_refused';
}

/** A longer wish is not passed on: nobody keeps it. */
const MAX_RETRY_AFTER_MS = 86_400_000;

/** `Retry-After` (RFC 9110 section 10.2.3) in seconds or as a date, or the finer `retry-after-ms` of some providers. */
function retryAfterMs({ headers, now }: StatusAnswer): number | undefined {
  const fine = headers['retry-after-ms'];
  if (typeof fine === 'string' && /^\d{1,10}(\.\d{1,6})?$/.test(fine)) return bounded(Number(fine));
  const text = headers['retry-after'] ?? '';
  if (/^\d{1,8}(\.\d{1,6})?$/.test(text)) return bounded(Number(text) * 1_000);
  // Only what begins with a day's name: the parser of dates would make one of almost anything.
  const date = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : bounded(date - now);
}

function bounded(milliseconds: number): number {
  return Math.min(MAX_RETRY_AFTER_MS, Math.max(0, milliseconds));
}

function quote(message: string, secrets: readonly string[]): string {
  const clean = redactSecrets(message, secrets)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim();
  if (clean === '') return '';
  const short =
    clean.length <= MAX_QUOTE_LENGTH ? clean : `${clean.slice(0, MAX_QUOTE_LENGTH).toWellFormed()}…`;
  return `It says: ${short}`;
}

interface SaidError {
  readonly code?: unknown;
  /** All that stands where providers write a word for the kind of a fault. */
  readonly words: readonly unknown[];
  readonly message: string;
  /** What Gemini says instead of `Retry-After`. */
  readonly retryDelayMs?: number | undefined;
}

const NOTHING_SAID: SaidError = Object.freeze({ words: [], message: '' });

/** `error.message`, `message` or `error` of a JSON body, and its words; nothing of a page of HTML. */
function errorOf(bytes: Uint8Array): SaidError {
  let body: unknown;
  try {
    body = readJson(withoutMark(bytes), { maxBytes: MAX_ERROR_BYTES });
  } catch {
    return NOTHING_SAID;
  }
  const first = membersOf(Array.isArray(body) ? body[0] : body);
  const error = membersOf(first['error']);
  const { details } = error;
  const notes = Array.isArray(details) ? details.map(membersOf) : [];
  const flagged = Object.hasOwn(membersOf(error['metadata']), 'flagged_input') ? ['flagged_input'] : [];
  const words = [
    first['code'],
    error['code'],
    error['type'],
    ...flagged,
    ...notes.map(({ reason }) => reason),
  ];
  const said = { words, retryDelayMs: notes.map(retryDelayOf).find((delay) => delay !== undefined) };
  if (typeof error['message'] === 'string')
    return { ...said, code: error['code'], message: error['message'] };
  const texts = [first['error'], first['message'], first['detail'], listedFaults(first['detail'])];
  return { ...said, message: texts.find((text) => typeof text === 'string') ?? '' };
}

/** Faults that are quoted of a list of them. */
const MAX_FAULTS = 3;

/** The list of faults that servers made with FastAPI write: places and words, and never the value at fault. */
function listedFaults(detail: unknown): string {
  if (!Array.isArray(detail)) return '';
  return detail
    .slice(0, MAX_FAULTS)
    .map(membersOf)
    .flatMap(({ loc, msg }) => {
      if (typeof msg !== 'string') return [];
      return [Array.isArray(loc) && loc.every(isStep) ? `${loc.join('.')}: ${msg}` : msg];
    })
    .join('; ');
}

function isStep(step: unknown): boolean {
  return typeof step === 'string' || typeof step === 'number';
}

/** The delay of a `google.rpc.RetryInfo`: decimal seconds and an `s`. */
function retryDelayOf({ '@type': type, retryDelay }: Readonly<Record<string, unknown>>): number | undefined {
  if (typeof type !== 'string' || !type.endsWith('google.rpc.RetryInfo')) return undefined;
  if (typeof retryDelay !== 'string' || !/^\d{1,8}(\.\d{1,9})?s$/.test(retryDelay)) return undefined;
  return bounded(Number(retryDelay.slice(0, -1)) * 1_000);
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
