import { isJsonObject, type JsonValue } from '@toolgate/core';
import type { EndingPiece } from '../codec/ending-watch.ts';
import { isJsonArray } from '../codec/wire-reader.ts';
import { isThinkingPart } from './thinking-part.ts';

/** Members that are read of what a model says, whole or in pieces. */
export const READ_ASSISTANT: ReadonlySet<string> = new Set([
  'role',
  'content',
  'refusal',
  'tool_calls',
  'function_call',
  'reasoning_content',
  'reasoning',
]);
/** Members in which thoughts stand, the better one first. */
export const THOUGHTS = ['reasoning_content', 'reasoning'] as const;

/** Whether a delta has more than empty members, and more than thoughts. */
export function whatSays(delta: JsonValue | undefined): EndingPiece['says'] {
  if (!isJsonObject(delta)) return 'nothing';
  let says: EndingPiece['says'] = 'nothing';
  for (const [name, value] of Object.entries(delta)) {
    if (name === 'role' || isEmpty(value)) continue;
    if (!isThought(name, value)) return 'more';
    says = 'thoughts';
  }
  return says;
}

function isEmpty(value: JsonValue): boolean {
  return value === null || value === '' || (isJsonArray(value) && value.length === 0);
}

function isThought(name: string, value: JsonValue): boolean {
  // Some servers say a thought again in members of their own, such as `reasoning_details`.
  if (name.startsWith('reasoning')) return true;
  return name === 'content' && isJsonArray(value) && value.every(isThinkingPart);
}
