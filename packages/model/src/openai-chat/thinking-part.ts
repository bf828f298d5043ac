import { isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type { LossLog } from '../codec/loss-log.ts';
import { isJsonArray, memberOf, textOf } from '../codec/wire-reader.ts';

/** Where a server of this protocol says thoughts: in a member of the message, or as Mistral does in a part of its content. */
export type ThoughtField = 'reasoning_content' | 'reasoning' | 'thinking';

/** Whether a part of a content is a thought. */
export function isThinkingPart(part: JsonValue): part is JsonObject {
  return (
    isJsonObject(part) && memberOf(part, 'type') === 'thinking' && isJsonArray(memberOf(part, 'thinking'))
  );
}

/** The text of a thought. What is in it besides, such as references, has no neutral form. */
export function thinkingText(part: JsonObject, pointer: string, losses: LossLog): string {
  const pieces = memberOf(part, 'thinking');
  let whole = '';
  let other = false;
  for (const piece of isJsonArray(pieces) ? pieces : []) {
    const text =
      isJsonObject(piece) && memberOf(piece, 'type') === 'text' ? textOf(piece, 'text') : undefined;
    if (text === undefined) other = true;
    else whole += text;
  }
  if (other) losses.add('dropped', `${pointer}/thinking`, 'info', 'a piece of a thought that is no text');
  return whole;
}

/** A thought as a part of a content. */
export function toThinkingPart(text: string): JsonObject {
  return { type: 'thinking', thinking: [{ type: 'text', text }] };
}
