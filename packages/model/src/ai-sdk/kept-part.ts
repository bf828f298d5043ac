import type {
  LanguageModelV4CustomPart,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider';
import { isJsonObject, type JsonValue } from '@toolgate/core';

/** A part of an answer that only the AI SDK understands, in the form in which a prompt gives it back. */
export type KeptPart =
  | LanguageModelV4ToolCallPart
  | LanguageModelV4ToolResultPart
  | LanguageModelV4CustomPart;

/** Whether a kept value is such a part. It came from us, but a history may have been anywhere since. */
export function isKeptPart(value: JsonValue): value is JsonValue & KeptPart {
  if (!isJsonObject(value)) return false;
  const { type, toolCallId, toolName, providerExecuted, kind, output } = value;
  if (type === 'custom') return typeof kind === 'string' && kind.includes('.');
  if (typeof toolCallId !== 'string' || typeof toolName !== 'string') return false;
  // A call that the client runs itself is never kept in this form: it would run unseen.
  if (type === 'tool-call') return providerExecuted === true;
  return type === 'tool-result' && isJsonObject(output);
}
