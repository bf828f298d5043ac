import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { ContentPart, Item, MessageItem, ReasoningItem, ToolCallItem } from '../call/item.ts';
import type { ModelCall } from '../call/model-call.ts';
import { toArgumentObject } from '../codec/argument-object.ts';
import { noteEmptyMedia } from '../codec/empty-media.ts';
import type { LossLog } from '../codec/loss-log.ts';
import type { AiSdkRoute } from './ai-sdk-route.ts';
import { isKeptPart } from './kept-part.ts';
import { writeMetadata } from './provider-metadata.ts';
import { toFile } from './to-file.ts';
import { toToolResult } from './to-tool-result.ts';

type AssistantPart = Extract<LanguageModelV4Message, { readonly role: 'assistant' }>['content'][number];
type UserPart = Extract<LanguageModelV4Message, { readonly role: 'user' }>['content'][number];
type ToolPart = Extract<LanguageModelV4Message, { readonly role: 'tool' }>['content'][number];

/** Instructions and conversation as a prompt: neighbouring items of one role are one message. */
export function toPrompt(
  { instructions, items }: ModelCall,
  route: AiSdkRoute,
  losses: LossLog,
): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Message[] = (instructions ?? []).map(({ text }) => ({
    role: 'system',
    content: text,
  }));
  const names = new Map<string, string>();
  items.forEach((item, index) => {
    const path = `/items/${index}`;
    if (item.kind === 'tool-call') names.set(item.callId, item.name);
    if (item.kind === 'tool-result') {
      const name = item.name ?? names.get(item.callId) ?? '';
      add(prompt, 'tool', [toToolResult(item, name, path, losses)]);
    } else if (item.kind !== 'message' || item.role === 'assistant') {
      add(prompt, 'assistant', toAssistantParts(item, path, route, losses));
    } else if (item.role === 'user') {
      add(
        prompt,
        'user',
        item.parts.flatMap((part, at) => toUserPart(part, `${path}/parts/${at}`, losses)),
      );
    } else prompt.push({ role: 'system', content: textOf(item, path, losses) });
  });
  return prompt;
}

function add(prompt: LanguageModelV4Message[], role: 'tool', parts: readonly ToolPart[]): void;
function add(prompt: LanguageModelV4Message[], role: 'assistant', parts: readonly AssistantPart[]): void;
function add(prompt: LanguageModelV4Message[], role: 'user', parts: readonly UserPart[]): void;
function add(
  prompt: LanguageModelV4Message[],
  role: 'tool' | 'assistant' | 'user',
  parts: readonly unknown[],
): void {
  if (parts.length === 0) return;
  const last = prompt.at(-1);
  // The overloads tie the parts to their role.
  if (last?.role === role && role !== 'user') (last.content as unknown[]).push(...parts);
  else prompt.push({ role, content: [...parts] } as LanguageModelV4Message);
}

function toAssistantParts(
  item: Exclude<Item, { readonly kind: 'tool-result' }>,
  path: string,
  route: AiSdkRoute,
  losses: LossLog,
): readonly AssistantPart[] {
  switch (item.kind) {
    case 'message':
      return item.parts.flatMap((part, index) =>
        toUserPart(part, `${path}/parts/${index}`, losses).map((own) => ({
          ...own,
          ...writeMetadata({ itemId: item.id }, route),
        })),
      );
    case 'reasoning':
      return toReasoning(item, route);
    case 'tool-call':
      return [toToolCall(item, path, route, losses)];
    case 'foreign':
      if (item.protocol === 'ai-sdk' && isKeptPart(item.value)) return [item.value];
      losses.add('refused', path, 'error', 'an item that only its own protocol understands');
      return [];
  }
}

function toReasoning(
  { text, summary, id, opaque }: ReasoningItem,
  route: AiSdkRoute,
): readonly AssistantPart[] {
  const texts = text !== undefined ? [text] : summary !== undefined && summary.length > 0 ? summary : [''];
  return texts.map((each) => ({
    type: 'reasoning',
    text: each,
    ...writeMetadata({ itemId: id, opaque }, route),
  }));
}

function toToolCall(item: ToolCallItem, path: string, route: AiSdkRoute, losses: LossLog): AssistantPart {
  const input = toArgumentObject(item.arguments, `${path}/arguments`, losses);
  if (input === undefined)
    losses.add(
      'approximated',
      `${path}/arguments`,
      'warning',
      'arguments that are no object are replayed as an empty one',
    );
  return {
    type: 'tool-call',
    toolCallId: item.callId,
    toolName: item.name,
    input: input ?? {},
    ...writeMetadata({ itemId: item.id, opaque: item.signature }, route),
  };
}

function toUserPart(given: ContentPart, path: string, losses: LossLog): readonly UserPart[] {
  const part = noteEmptyMedia(given, path, losses);
  switch (part.kind) {
    case 'text':
      if (part.extensions !== undefined)
        losses.add('dropped', `${path}/extensions`, 'info', 'members of one protocol have no place here');
      return [{ type: 'text', text: part.text }];
    case 'refusal':
      losses.add('approximated', path, 'info', 'a refusal is text here');
      return [{ type: 'text', text: part.text }];
    case 'foreign':
      losses.add('refused', path, 'error', 'a part that only its own protocol understands');
      return [];
    case 'image':
    case 'audio':
    case 'file': {
      const file = toFile(part, path, losses);
      return file === undefined ? [] : [file];
    }
  }
}

function textOf(item: MessageItem, path: string, losses: LossLog): string {
  return item.parts
    .map((part, index) => {
      if (part.kind === 'text' || part.kind === 'refusal') return part.text;
      losses.add('dropped', `${path}/parts/${index}`, 'error', 'a system message is text here');
      return '';
    })
    .join('\n');
}
