import { refuse } from '../http/refusal.ts';
import type { UpstreamFailure } from './upstream-failure.ts';

const MAX_CAUSES = 4;

/** Codes of connections that broke after they were made. */
const BROKEN: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_CLOSED']);

/** What a failed connection means, told by the code of the error and never by its text, which may hold anything. */
export function connectionFailure(error: unknown): UpstreamFailure {
  const code = systemCode(error);
  const broken = code !== undefined && BROKEN.has(code);
  if (code?.startsWith('HPE_') === true || code === 'UND_ERR_HEADERS_OVERFLOW') return invalidAnswer();
  return Object.freeze({
    kind: broken ? 'reset' : 'unreachable',
    refusal: refuse('upstream_unreachable'),
    retryable: true,
  });
}

/** The failure of an exchange whose provider stays silent. */
export function timeoutFailure(): UpstreamFailure {
  return Object.freeze({ kind: 'timeout', refusal: refuse('upstream_timeout'), retryable: true });
}

/** The failure of an answer that is none. */
export function invalidAnswer(): UpstreamFailure {
  return Object.freeze({ kind: 'invalid', refusal: refuse('upstream_invalid'), retryable: true });
}

/** The platform's code of an error, or of what caused it. */
function systemCode(error: unknown): string | undefined {
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES && typeof current === 'object' && current !== null; depth += 1) {
    const { code, cause } = current as { readonly code?: unknown; readonly cause?: unknown };
    if (typeof code === 'string') return code;
    current = cause;
  }
  return undefined;
}
