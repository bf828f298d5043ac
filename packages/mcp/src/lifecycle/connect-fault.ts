import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';

/** Characters of what a server says about its refusal. */
const MAX_WORDS = 1_000;
/** Codes of the system, of TLS and of the platform's `fetch`. */
const CODE = /^[A-Z][A-Z0-9_]{2,60}$/;

/**
 * Why a server could not be used, as far as the error of a request says: a clause about the server, without foreign text.
 *
 * @returns `undefined` where the error says nothing that helps.
 */
export function whyUnusable(error: unknown): string | undefined {
  if (error instanceof SdkHttpError) {
    const { status } = error;
    return status >= 300 && status < 400
      ? `it sends elsewhere (state ${status}), which is not followed`
      : `it answered with the state ${status}`;
  }
  if (error instanceof ProtocolError) return `it answered with the error ${Number(error.code)}`;
  if (error instanceof SdkError) return SDK_REASONS.get(error.code);
  if (!(error instanceof Error)) return undefined;
  if (/\bprotocol version is not supported\b/.test(error.message))
    return 'it speaks no revision of the protocol that is known here';
  const code = codeOf(error) ?? codeOf(error.cause);
  return code === undefined ? undefined : `it could not be reached (${code})`;
}

/** What the server itself says about that. Foreign text: to be redacted and escaped before anybody sees it. */
export function wordsOf(error: unknown): string {
  if (error instanceof SdkHttpError) {
    const text: unknown = error.status < 400 ? error.message : error.data['text'];
    return typeof text === 'string' ? text.slice(0, MAX_WORDS) : '';
  }
  return error instanceof ProtocolError ? error.message.slice(0, MAX_WORDS) : '';
}

/** The code of a failure of the system, where there is one. */
export function codeOf(error: unknown): string | undefined {
  const code: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' && CODE.test(code) ? code : undefined;
}

const NO_MESSAGE = 'it answered with what is no message of the protocol';
const SDK_REASONS: ReadonlyMap<SdkErrorCode, string> = new Map([
  [SdkErrorCode.RequestTimeout, 'it gave no answer in time'],
  [SdkErrorCode.ClientHttpUnexpectedContent, NO_MESSAGE],
  [SdkErrorCode.InvalidResult, NO_MESSAGE],
  [SdkErrorCode.UnsupportedResultType, NO_MESSAGE],
]);
