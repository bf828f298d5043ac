import type { JSONValue, LanguageModelV4ToolResultPart } from '@ai-sdk/provider';
import type { JsonValue } from '@toolgate/core';
import type { ContentPart, ToolResultItem } from '../call/item.ts';
import { noteEmptyMedia } from '../codec/empty-media.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { TOOL_ERROR_MARK } from '../codec/tool-error-mark.ts';
import { toFile } from './to-file.ts';

type Output = LanguageModelV4ToolResultPart['output'];
type OutputPart = Extract<Output, { readonly type: 'content' }>['value'][number];

/** The result of a call as a part of a tool message. */
export function toToolResult(
  item: ToolResultItem,
  toolName: string,
  path: string,
  losses: LossLog,
): LanguageModelV4ToolResultPart {
  return { type: 'tool-result', toolCallId: item.callId, toolName, output: toOutput(item, path, losses) };
}

function toOutput(item: ToolResultItem, path: string, losses: LossLog): Output {
  const failed = item.isError === true;
  if (item.parts.length === 0 && item.structured !== undefined) {
    return { type: failed ? 'error-json' : 'json', value: toJson(item.structured) };
  }
  if (item.structured !== undefined)
    losses.add('dropped', `${path}/structured`, 'warning', 'a result has parts or a value here');
  const only = item.parts.length === 1 ? item.parts[0] : undefined;
  if (item.parts.length === 0 || only?.kind === 'text')
    return { type: failed ? 'error-text' : 'text', value: only?.kind === 'text' ? only.text : '' };
  const value = item.parts.flatMap((part, index) => toPart(part, `${path}/parts/${index}`, losses));
  if (!failed) return { type: 'content', value };
  losses.add('approximated', `${path}/isError`, 'info', 'a failure with several parts is marked in its text');
  return { type: 'content', value: [{ type: 'text', text: TOOL_ERROR_MARK }, ...value] };
}

function toPart(given: ContentPart, path: string, losses: LossLog): readonly OutputPart[] {
  const part = noteEmptyMedia(given, path, losses);
  if (part.kind === 'text' || part.kind === 'refusal') return [{ type: 'text', text: part.text }];
  if (part.kind === 'foreign') {
    losses.add('refused', path, 'error', 'a part that only its own protocol understands');
    return [];
  }
  const file = toFile(part, path, losses);
  return file === undefined ? [] : [file];
}

/** Our JSON is their JSON; only theirs is declared as something that may be changed. */
function toJson(value: JsonValue): JSONValue {
  return value as JSONValue;
}
