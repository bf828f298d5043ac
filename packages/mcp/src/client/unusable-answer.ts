import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { JsonError, readJson } from '@toolgate/core';
import { ANY_JSON } from './any-json.ts';

/** No request has such a result. */
const UNUSABLE = Object.freeze({ content: null, tools: null, resultType: null });

/** What whoever waits for a request gets in the place of an answer that came and that nobody can use: a failure at once. */
export function unusableAnswer(id: string | number): JSONRPCMessage {
  return { jsonrpc: '2.0', id, result: UNUSABLE };
}

/** The request that a message answers which is no message of the protocol, as far as it says so. */
export function answeredBy(message: unknown): string | number | undefined {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return undefined;
  if (Object.hasOwn(message, 'method')) return undefined;
  if (!Object.hasOwn(message, 'result') && !Object.hasOwn(message, 'error')) return undefined;
  const id: unknown = Object.hasOwn(message, 'id') ? Reflect.get(message, 'id') : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

/** The same of a text, which may be no JSON, or ambiguous in anything but whom it answers. */
export function answeredByText(text: string): string | number | undefined {
  try {
    return answeredBy(readJson(text, ANY_JSON));
  } catch (error) {
    if (!JsonError.is(error)) throw error;
    if (error.pointer === '/id') return undefined;
  }
  try {
    return answeredBy(JSON.parse(text));
  } catch {
    return undefined;
  }
}
