import { isJsonObject, type JsonObject } from '@toolgate/core';
import type { LossLog } from '../codec/loss-log.ts';
import { isJsonArray } from '../codec/wire-reader.ts';

/**
 * The messages without the white space at the very end of a last assistant message: the API refuses to continue such a
 * text.
 */
export function trimPrefill(messages: readonly JsonObject[], losses: LossLog): readonly JsonObject[] {
  const last = messages.at(-1);
  const content = last?.['content'];
  if (last?.['role'] !== 'assistant' || !isJsonArray(content)) return messages;
  const block = content.at(-1);
  if (!isJsonObject(block) || typeof block['text'] !== 'string') return messages;
  const text = block['text'].trimEnd();
  if (text === block['text']) return messages;
  losses.add(
    'approximated',
    '/items',
    'info',
    'white space at the end of the text to be continued is cut off',
  );
  const blocks = [...content.slice(0, -1), { ...block, text }];
  return [...messages.slice(0, -1), { ...last, content: blocks }];
}
