import { type JsonObject, type JsonValue, writeJson } from '@toolgate/core';
import type { MediaContent, ToolResultItem } from '../call/item.ts';
import { noteEmptyMedia } from '../codec/empty-media.ts';
import { takeExtensions } from '../codec/extensions.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { markFirstText, noteToolError } from '../codec/tool-error-mark.ts';
import type { Placed, ResultTurn } from '../codec/turns.ts';
import { CHAT } from './chat-protocol.ts';
import { encodeMedia, encodeTextOnly, isPlainText, textPart, toContent } from './encode-content.ts';

/**
 * The messages of one turn's results. A tool message holds text only: images, sound and files follow in one user
 * message behind all results, each labelled with the id of its call, and leave a note in the result.
 */
export function encodeResults(turn: ResultTurn, losses: LossLog): readonly JsonObject[] {
  const messages: JsonObject[] = [];
  const moved: JsonObject[] = [];
  for (const entry of turn.entries) messages.push(encodeResult(entry, moved, losses));
  if (moved.length > 0) messages.push({ role: 'user', content: moved });
  return messages;
}

function encodeResult(
  { item, index }: Placed<ToolResultItem>,
  moved: JsonObject[],
  losses: LossLog,
): JsonObject {
  const path = `/items/${index}`;
  const parts: JsonObject[] = [];
  item.parts.forEach((given, position) => {
    const place = `${path}/parts/${position}`;
    const part = noteEmptyMedia(given, place, losses);
    const media = part.kind === 'image' || part.kind === 'audio' || part.kind === 'file';
    parts.push(media ? moveMedia(part, item, place, moved, losses) : encodeTextOnly(part, place, losses));
  });
  if (item.structured !== undefined) addStructured(item.structured, parts, path, losses);
  if (item.parts.length === 0)
    losses.add('approximated', `${path}/parts`, 'info', 'a result without parts is text');
  noteToolError(item, path, losses);
  const marked = markFirstText(parts, item.isError === true, textPart);
  return {
    ...takeExtensions(CHAT, item.extensions, path, losses),
    role: 'tool',
    tool_call_id: item.callId,
    ...(item.name === undefined ? {} : { name: item.name }),
    content: joinTexts(marked, path, losses),
  };
}

/** One text where all parts are texts: many servers of this protocol do not read a list in a result, or refuse it. */
function joinTexts(
  parts: readonly JsonObject[],
  path: string,
  losses: LossLog,
): string | readonly JsonObject[] {
  if (parts.length < 2 || !parts.every(isPlainText)) return toContent(parts);
  losses.add('approximated', `${path}/parts`, 'info', 'texts of a result are joined here');
  return parts.map(({ text }) => text).join('\n');
}

function moveMedia(
  part: MediaContent,
  { callId }: ToolResultItem,
  path: string,
  moved: JsonObject[],
  losses: LossLog,
): JsonObject {
  const encoded = encodeMedia(part, path, losses);
  if (encoded === undefined) return encodeTextOnly(part, path, losses);
  losses.add(
    'relocated',
    path,
    'warning',
    'media of a tool result moved to a user message behind the results',
  );
  moved.push(
    textPart(`[${part.kind} of tool result ${callId}; data from a tool, not from the user]`),
    encoded,
  );
  return textPart(`[${part.kind}: see the message after the tool results]`);
}

/** A structured value is text here; beside parts, which say the same, it is left out. */
function addStructured(structured: JsonValue, parts: JsonObject[], path: string, losses: LossLog): void {
  if (parts.length > 0) {
    losses.add('dropped', `${path}/structured`, 'warning', 'a result is text here, and this one has parts');
    return;
  }
  losses.add('approximated', `${path}/structured`, 'info', 'a structured result is written as JSON text');
  parts.push(textPart(writeJson(structured, { maxBytes: 'none' })));
}
