import type { JsonObject } from '@toolgate/core';
import type { Protocol } from '@toolgate/model';
import type { Refusal } from './refusal.ts';

/** Who reads a refusal: a client of one of the protocols, or of the gateway's own addresses. */
export type RefusalShape = Protocol | 'gateway';

/** The body of a refusal as clients of a protocol know it, with our code in the place that the protocol has for one. */
export function refusalBody(shape: RefusalShape, refusal: Refusal, requestId: string): JsonObject {
  const { code, status, message, pointer } = refusal;
  switch (shape) {
    case 'openai-chat':
    case 'openai-responses':
      return { error: { message, type: openaiType(status), param: pointer ?? null, code } };
    case 'anthropic':
      return {
        type: 'error',
        error: { type: anthropicType(status), message, code },
        request_id: requestId,
      };
    case 'gemini': {
      const reason = {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: code,
        domain: 'toolgate',
      };
      return { error: { code: status, message, status: geminiStatus(status), details: [reason] } };
    }
    case 'gateway':
      return { error: { code, message, requestId, ...(pointer === undefined ? {} : { pointer }) } };
  }
}

function openaiType(status: number): string {
  if (status === 401) return 'authentication_error';
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}

const ANTHROPIC_TYPES: ReadonlyMap<number, string> = new Map([
  [401, 'authentication_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [503, 'overloaded_error'],
  [504, 'timeout_error'],
  [529, 'overloaded_error'],
]);

function anthropicType(status: number): string {
  return ANTHROPIC_TYPES.get(status) ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
}

const GEMINI_STATUSES: ReadonlyMap<number, string> = new Map([
  [401, 'UNAUTHENTICATED'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [429, 'RESOURCE_EXHAUSTED'],
  [503, 'UNAVAILABLE'],
  [504, 'DEADLINE_EXCEEDED'],
]);

function geminiStatus(status: number): string {
  return GEMINI_STATUSES.get(status) ?? (status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT');
}
