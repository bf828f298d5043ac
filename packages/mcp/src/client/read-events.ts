import { McpError } from '../mcp-error.ts';
import { EventReader } from './event-reader.ts';
import { type ReadMessages, readMessages } from './read-messages.ts';

/** How a stream of events begins (HTML, server-sent events): with a field or a comment. */
const BEGINNING = /^\ufeff?(?:(?:event|data|id|retry):|:)/;

/**
 * The messages in a stream of events that is called something else, and was read to its end.
 *
 * @returns The fault of an event that is ambiguous; `undefined` for what is no such stream, or says nothing.
 */
export function readEvents(text: string): ReadMessages | McpError | undefined {
  if (!BEGINNING.test(text)) return undefined;
  const reader = new EventReader();
  const events = [...reader.push(new TextEncoder().encode(text))];
  const last = reader.end();
  if (last !== undefined) events.push(last);
  const messages: unknown[] = [];
  for (const { data } of events) {
    const read = data === undefined ? undefined : readMessages(data);
    if (McpError.is(read)) return read;
    if (read !== undefined) messages.push(...read.messages);
  }
  return messages.length === 0 ? undefined : { messages, isMended: true };
}
