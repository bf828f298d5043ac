import { isJsonObject } from '@toolgate/core';
import type { ForeignItem } from '../call/item.ts';
import { textOf } from '../codec/wire-reader.ts';
import { CHAT } from './chat-protocol.ts';

/** Whether a foreign item is a custom tool's call, which the client answers with an ordinary tool message. */
export function isCustomCall(item: ForeignItem): boolean {
  return item.protocol === CHAT && item.role === 'assistant';
}

/** The id of a custom tool's call. */
export function customCallId(item: ForeignItem): string | undefined {
  return isCustomCall(item) && isJsonObject(item.value) ? textOf(item.value, 'id') : undefined;
}
