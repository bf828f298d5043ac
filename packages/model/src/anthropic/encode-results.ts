import { type JsonObject, writeJson } from '@toolgate/core';
import type { ToolResultItem } from '../call/item.ts';
import { takeExtensions } from '../codec/extensions.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { CACHE_MARKS_OF_CHAT } from '../codec/shared-members.ts';
import { ANTHROPIC } from './anthropic-protocol.ts';
import type { AnthropicToolResult } from './anthropic-wire.ts';
import { encodeParts } from './encode-content.ts';

/** The block of one call's result. */
export function encodeResult(item: ToolResultItem, id: string, path: string, losses: LossLog): JsonObject {
  if (item.name !== undefined)
    losses.add('dropped', `${path}/name`, 'info', 'a result is known by its call here');
  const content = encodeContent(item, path, losses);
  const block: AnthropicToolResult<JsonObject> = {
    type: 'tool_result',
    tool_use_id: id,
    ...(content === undefined ? {} : { content }),
    ...(item.isError === true ? { is_error: true } : {}),
  };
  const members = takeExtensions(ANTHROPIC, item.extensions, path, losses, {
    severity: 'info',
    shared: CACHE_MARKS_OF_CHAT,
  });
  return { ...members, ...block };
}

function encodeContent(
  { parts, structured }: ToolResultItem,
  path: string,
  losses: LossLog,
): string | readonly JsonObject[] | undefined {
  if (structured !== undefined && parts.length > 0) {
    losses.add(
      'dropped',
      `${path}/structured`,
      'warning',
      'a result is its blocks here, and this one has some',
    );
  } else if (structured !== undefined) {
    losses.add('approximated', `${path}/structured`, 'info', 'a structured result is written as JSON text');
    return [{ type: 'text', text: writeJson(structured, { maxBytes: 'none', maxDepth: 'none' }) }];
  }
  if (parts.length === 0) return undefined;
  const [only] = parts;
  // As a text of its own blank text is accepted; as a block it is not.
  if (
    parts.length === 1 &&
    only?.kind === 'text' &&
    only.text.trim() === '' &&
    only.extensions === undefined
  ) {
    return only.text;
  }
  return encodeParts(parts, path, losses);
}
