import { type JSONRPCMessage, parseJSONRPCMessage } from '@modelcontextprotocol/client';
import { McpError } from '../mcp-error.ts';
import { readUnambiguous } from './ambiguous-message.ts';
import { keepIntegers } from './exact-integers.ts';
import { mendIncoming } from './mend-incoming.ts';
import { answeredBy, unusableAnswer } from './unusable-answer.ts';

/** What one text of a server says. */
export interface ReadMessages {
  /** Each as the SDK takes it, or as it came where it is no message. */
  readonly messages: readonly unknown[];
  /** Whether that is not what the text says to the letter. */
  readonly isMended: boolean;
}

/**
 * The messages in a text of a server: one, or a list of them, as the revision of 2025-03-26 had it. An answer that is no
 * message of the protocol stands as one that nobody can use, so that whoever waits for it knows at once.
 *
 * @returns The fault of a text that is ambiguous; `undefined` for what is no JSON.
 */
export function readMessages(text: string): ReadMessages | McpError | undefined {
  const kept = keepIntegersOf(text);
  if (kept === undefined || McpError.is(kept)) return kept;
  const { value } = kept;
  const said: readonly unknown[] = Array.isArray(value) ? value : [value];
  const messages = said.map(usable);
  const isMended =
    kept.isKept || Array.isArray(value) || messages.some((each, index) => each !== said[index]);
  return { messages, isMended };
}

function keepIntegersOf(
  text: string,
): { readonly value: unknown; readonly isKept: boolean } | McpError | undefined {
  const read = readUnambiguous(text);
  if (read === undefined || McpError.is(read)) return read;
  const kept = keepIntegers(text);
  if (kept === text) return { value: read.value, isKept: false };
  const again = readUnambiguous(kept);
  return again === undefined || McpError.is(again) ? again : { value: again.value, isKept: true };
}

function usable(message: unknown): unknown {
  const mended = mendIncoming(message);
  if (isMessage(mended)) return mended;
  const answered = answeredBy(mended);
  return answered === undefined ? mended : unusableAnswer(answered);
}

/** Whether the SDK takes it. */
export function isMessage(value: unknown): value is JSONRPCMessage {
  try {
    parseJSONRPCMessage(value);
    return true;
  } catch {
    return false;
  }
}
