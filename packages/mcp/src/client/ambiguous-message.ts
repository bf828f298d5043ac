import { JsonError, readJson } from '@toolgate/core';
import { McpError } from '../mcp-error.ts';

const READING = {
  maxBytes: 'none',
  maxDepth: 'none',
  noncharacters: 'allow',
  inexactIntegers: 'allow',
} as const;
const AMBIGUOUS: ReadonlySet<string> = new Set(['json/duplicate-member', 'json/forbidden-member']);

/**
 * Finds a message that two readers understand differently, because a member occurs twice in it or would change a
 * prototype: what somebody looked at on the way need not be what arrives. Other faults are left to the SDK's reader.
 */
export function ambiguousMessage(text: string): McpError | undefined {
  try {
    readJson(text, READING);
    return undefined;
  } catch (cause) {
    if (!JsonError.is(cause) || !AMBIGUOUS.has(cause.code)) return undefined;
    return new McpError('mcp/result-invalid', `A message of the server is ambiguous: ${cause.message}`, {
      pointer: cause.pointer,
      cause,
    });
  }
}
