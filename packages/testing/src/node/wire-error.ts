import type { JsonObject } from '@toolgate/core';
import type { Protocol } from '@toolgate/model';

/** The body of an answer that is not a success, as the provider of a protocol writes it. */
export function wireError(protocol: Protocol, status: number, message: string): JsonObject {
  switch (protocol) {
    case 'openai-chat':
    case 'openai-responses':
      return { error: { message, type: openaiType(status), param: null, code: null } };
    case 'anthropic':
      return { type: 'error', error: { type: anthropicType(status), message } };
    case 'gemini':
      return { error: { code: status, message, status: geminiStatus(status) } };
  }
}

function openaiType(status: number): string {
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}

function anthropicType(status: number): string {
  const words: ReadonlyMap<number, string> = new Map([
    [401, 'authentication_error'],
    [403, 'permission_error'],
    [404, 'not_found_error'],
    [413, 'request_too_large'],
    [429, 'rate_limit_error'],
    [529, 'overloaded_error'],
  ]);
  return words.get(status) ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
}

function geminiStatus(status: number): string {
  const words: ReadonlyMap<number, string> = new Map([
    [401, 'UNAUTHENTICATED'],
    [403, 'PERMISSION_DENIED'],
    [404, 'NOT_FOUND'],
    [429, 'RESOURCE_EXHAUSTED'],
    [503, 'UNAVAILABLE'],
  ]);
  return words.get(status) ?? (status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT');
}
