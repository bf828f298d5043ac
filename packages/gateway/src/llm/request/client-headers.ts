import type { IncomingHttpHeaders } from 'node:http';
import type { Protocol } from '@toolgate/model';

/** Headers that ask a provider for something. Keys, accounts and everything about the connection stay here. */
const PASSED: Readonly<Record<Protocol, readonly string[]>> = {
  'openai-chat': ['openai-beta'],
  'openai-responses': ['openai-beta'],
  anthropic: ['anthropic-version', 'anthropic-beta'],
  gemini: [],
};

const VALUE = /^[\t\x20-\x7e]{1,1024}$/;

/** The headers of a client that are passed to a provider of the same protocol. */
export function passedHeaders(
  protocol: Protocol,
  headers: IncomingHttpHeaders,
): Readonly<Record<string, string>> {
  const passed: Record<string, string> = {};
  for (const name of PASSED[protocol]) {
    const value = headers[name];
    if (typeof value === 'string' && VALUE.test(value)) passed[name] = value;
  }
  return passed;
}
