import { type RequestTarget, readGeminiPath } from '@toolgate/model';
import { type Refusal, refuse } from '../../http/refusal.ts';

/** What an address says besides the body, or why it is none of ours. */
export type ReadTarget =
  | { readonly kind: 'target'; readonly target: RequestTarget }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

const NO_TARGET: ReadTarget = Object.freeze({ kind: 'target', target: Object.freeze({}) });

/** The target of an address of OpenAI and Anthropic, which say everything in the body. */
export function readPlainTarget(url: string): ReadTarget {
  return hasKey(url) ? noQuery() : NO_TARGET;
}

/**
 * The target of an address of Gemini. Streams are server-sent events here: the other form, one JSON array in pieces, is
 * refused.
 */
export function readGeminiTarget(url: string): ReadTarget {
  if (hasKey(url)) return noQuery();
  const target = readGeminiPath(url);
  if (target === undefined) return { kind: 'refused', refusal: refuse('not_found') };
  if (target.stream === true && queryOf(url).get('alt') !== 'sse') {
    return { kind: 'refused', refusal: refuse('query_unsupported', { detail: 'A stream needs alt=sse.' }) };
  }
  return { kind: 'target', target };
}

const COUNT = ':countTokens';

/** Whether an address of Gemini asks for a count, and not for an answer. */
export function isGeminiCount(url: string): boolean {
  return addressOf(url).endsWith(COUNT);
}

/** The target of a count of Gemini: its model stands where that of an answer does. */
export function readGeminiCountTarget(url: string): ReadTarget {
  if (hasKey(url)) return noQuery();
  const target = readGeminiPath(`${addressOf(url).slice(0, -COUNT.length)}:generateContent`);
  return target === undefined
    ? { kind: 'refused', refusal: refuse('not_found') }
    : { kind: 'target', target };
}

function addressOf(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? '';
}

/** A key in an address is refused even when it is right, because addresses end up in logs. */
function hasKey(url: string): boolean {
  if (!url.includes('?')) return false;
  const query = queryOf(url);
  return query.has('key') || query.has('api_key') || query.has('access_token');
}

function noQuery(): ReadTarget {
  const detail = 'Keys are read from headers only.';
  return { kind: 'refused', refusal: refuse('query_unsupported', { detail }) };
}

function queryOf(url: string): URLSearchParams {
  return new URLSearchParams(url.slice(url.indexOf('?') + 1));
}
