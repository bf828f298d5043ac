import { ProtocolError, ProtocolErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import type { Reach } from './reach.ts';

/** Characters of a refusal that are looked at. */
const MAX_TEXT = 4_000;

/** How servers say that they do not know a session. */
const GONE: readonly RegExp[] = [
  /\b(?:no valid|invalid|unknown|unrecognized|expired|stale) (?:or missing )?(?:mcp[- ])?session\b/i,
  /\bsession(?:[- ]?id)?(?: header)?:?(?: ["'`]?[\w-]{8,128}["'`]?)?(?: is| was| has| has been)? (?:not found|not valid|invalid|unknown|expired|terminated|closed)\b/i,
  /\bsession(?:[- ]?id)?:?(?: ["'`]?[\w-]{8,128}["'`]?)? (?:does not exist|no longer exists)\b/i,
  /\b(?:server|session|connection) (?:is )?not initiali[sz]ed\b/i,
];

/**
 * How servers refuse a request before they look at it, because it is one of another revision: whoever spoke that one
 * before was exchanged for a server that speaks another, wants a handshake, and knows no request without it.
 */
const VERSION: readonly RegExp[] = [
  /\bunsupported (?:mcp )?protocol[- ]version\b/i,
  /\bprotocol[- ]version\b.{0,60}\b(?:not supported|unsupported)\b/i,
];
const OTHER_REVISION: readonly RegExp[] = [
  ...VERSION,
  /\b(?:no|no valid|missing) (?:mcp[- ])?session[- ]id\b/i,
  /\bmcp-session-id\b.{0,40}\b(?:required|missing)\b/i,
  /\bserver not initiali[sz]ed\b/i,
];
const UNSUPPORTED_VERSION: number = ProtocolErrorCode.UnsupportedProtocolVersion;

/** States under which servers refuse a session. Behind one that blames the server, something may have been done. */
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 410]);
const BREAKDOWNS: ReadonlySet<number> = new Set([500, 502, 503]);

/** Whether servers refuse a session under a code of JSON-RPC: those left to them (-32000 to -32099), and one more. */
function isRefusal(code: number): boolean {
  return code === -32_600 || (code <= -32_000 && code >= -32_099);
}

/**
 * What an error of a request says about its session. `refused`: the server does not know it and did nothing. `suspected`:
 * it said so in an answer, which may be that of a tool, so that nobody knows what was done. A server that speaks another
 * revision than it did knows no session either. The protocol has the state 404
 * for a session that is gone; many servers say another state and a text, as early examples of the SDKs did, or answer with
 * an error.
 *
 * @param reach - Where there is no session, as on a pipe, words about one are about another one.
 */
export function lostSession(
  error: unknown,
  { sessionId, isOldPipe }: Reach,
): 'refused' | 'suspected' | undefined {
  if (error instanceof SdkHttpError && error.status === 404) return 'refused';
  if (!isOldPipe && refusesRevision(error)) return 'refused';
  if (error instanceof SdkHttpError && error.status === 400 && says(error.data['text'], OTHER_REVISION))
    return 'refused';
  if (sessionId === undefined) return undefined;
  if (error instanceof SdkHttpError) {
    const { status, data } = error;
    if (!says(data['text'], GONE)) return undefined;
    if (REFUSALS.has(status)) return 'refused';
    return BREAKDOWNS.has(status) ? 'suspected' : undefined;
  }
  if (!(error instanceof ProtocolError) || !isRefusal(error.code)) return undefined;
  return says(error.message, GONE) ? 'suspected' : undefined;
}

/** Whether a server refuses a request for its revision. It names others then, which a tool with a code of its own does not. */
function refusesRevision(error: unknown): boolean {
  if (!(error instanceof ProtocolError) || error.code !== UNSUPPORTED_VERSION) return false;
  const { data } = error;
  return typeof data === 'object' && data !== null && Array.isArray(Reflect.get(data, 'supported'));
}

/**
 * Whether a server says in an answer that it does not speak the revision of a request. It may be the answer of a tool, so
 * that nobody knows what was done; without sessions, as in the newest revision, a new connection costs nothing.
 */
export function suspectsRevision(error: unknown): boolean {
  return error instanceof ProtocolError && isRefusal(error.code) && says(error.message, VERSION);
}

function says(text: unknown, patterns: readonly RegExp[]): boolean {
  if (typeof text !== 'string') return false;
  const start = text.slice(0, MAX_TEXT);
  return patterns.some((pattern) => pattern.test(start));
}
