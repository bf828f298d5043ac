import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { lostSession } from '../lifecycle/lost-session.ts';
import type { Reach } from '../lifecycle/reach.ts';
import { isUnauthorized } from '../lifecycle/unavailable.ts';
import { McpError } from '../mcp-error.ts';

/**
 * What an error of a request says about the call. `not-sent`: it never left, and can be sent once more.
 * `session-lost`: the server does not know the session and did nothing. `unauthorized`, `refused`: the server did
 * nothing. `protocol`: it answered with an error. `not-answered`: it asked for something instead, which it did not get.
 * `result-invalid`: it answered with something unusable. `lost`: nobody
 * knows.
 */
export type CallFault =
  | 'not-sent'
  | 'session-lost'
  | 'unauthorized'
  | 'refused'
  | 'protocol'
  | 'not-answered'
  | 'result-invalid'
  | 'lost';

/** Errors of a socket that never was connected. */
const UNREACHED: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/**
 * Classifies what `callTool` rejected with. Whatever is not known to have done nothing is `lost`.
 *
 * @param reach - How the server was reached that the call was sent to.
 */
export function callFault(error: unknown, reach: Reach): CallFault {
  if (McpError.is(error)) {
    if (error.code === 'mcp/not-answered') return 'not-answered';
    return error.code === 'mcp/result-invalid' ? 'result-invalid' : 'lost';
  }
  if (lostSession(error, reach) === 'refused') return 'session-lost';
  if (error instanceof ProtocolError) return 'protocol';
  if (isUnauthorized(error)) return 'unauthorized';
  if (error instanceof SdkHttpError) return httpFault(error.status);
  if (error instanceof SdkError) return SDK_FAULTS.get(error.code) ?? 'lost';
  if (error instanceof Error) {
    if (error.message === 'Not connected') return 'not-sent';
    const { cause } = error;
    if (typeof cause === 'object' && cause !== null && UNREACHED.has(Reflect.get(cause, 'code')))
      return 'not-sent';
  }
  return 'lost';
}

function httpFault(status: number): CallFault {
  if (status >= 400 && status < 500 && status !== 408) return 'refused';
  return status >= 200 && status < 300 ? 'result-invalid' : 'lost';
}

/** Every other one may have come after the server took the call. */
const SDK_FAULTS: ReadonlyMap<SdkErrorCode, CallFault> = new Map([
  [SdkErrorCode.NotConnected, 'not-sent'],
  [SdkErrorCode.NotInitialized, 'not-sent'],
  [SdkErrorCode.MethodNotSupportedByProtocolVersion, 'not-sent'],
  [SdkErrorCode.InvalidResult, 'result-invalid'],
  [SdkErrorCode.UnsupportedResultType, 'result-invalid'],
  [SdkErrorCode.ClientHttpUnexpectedContent, 'result-invalid'],
  // The server wants to ask for something that there is no hook for, or does not stop asking.
  [SdkErrorCode.CapabilityNotSupported, 'refused'],
  [SdkErrorCode.InputRequiredRoundsExceeded, 'refused'],
]);
