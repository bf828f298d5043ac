import { ModelError } from '../model-error.ts';
import { systemCode } from './safe-error.ts';

const HINTS: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'nothing listens at the base URL'],
  ['ENOTFOUND', 'the host of the base URL was not found'],
  ['EAI_AGAIN', 'the host of the base URL was not found'],
  ['ECONNRESET', 'the connection was closed before an answer'],
  ['EPIPE', 'the connection was closed before an answer'],
  ['UND_ERR_SOCKET', 'the connection was closed before an answer'],
]);

/** Codes with which the same request fails again, or has been waited for long enough. */
const LASTING =
  /^(?:ENOTFOUND|UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT|UND_ERR_INVALID_ARG)$|CERT|TLS|SSL/;

/** What a failed `fetch` means, told by the code of its cause and never by its text, which may hold anything. */
export function connectionError(error: unknown): ModelError {
  if (ModelError.is(error)) return error;
  const code = systemCode(error);
  const known = code === undefined ? undefined : HINTS.get(code);
  const hint =
    known ??
    (code !== undefined && /CERT|TLS|SSL/.test(code)
      ? 'the certificate of its host was not accepted'
      : 'no connection could be made, or it broke');
  return new ModelError(
    'model/connection-failed',
    `The provider could not be reached: ${hint}${code === undefined ? '' : ` (${code})`}.`,
    { cause: error },
  );
}

/** Whether a failed connection may succeed when it is tried again. */
export function isPassing(error: ModelError): boolean {
  const code = systemCode(error.cause);
  return code === undefined || !LASTING.test(code);
}
