import type {
  ContentPart,
  ForeignItem,
  MessageItem,
  OpaqueReasoning,
  ReasoningItem,
  ToolCallItem,
} from '../call/item.ts';
import { toArgumentObject } from '../codec/argument-object.ts';
import { createLossLog, type LossLog } from '../codec/loss-log.ts';
import type { HistoryRules } from './history-profile.ts';

/** A message without empty text, or `undefined` when nothing is left of it. */
export function guardMessage(
  item: MessageItem,
  path: string,
  rules: HistoryRules,
  losses: LossLog,
): MessageItem | undefined {
  const parts = item.parts.filter((part) => !isEmpty(part, rules));
  if (parts.length === item.parts.length && parts.length > 0) return item;
  if (parts.length === 0) {
    losses.add('dropped', path, 'info', 'a message that says nothing');
    return undefined;
  }
  losses.add('dropped', `${path}/parts`, 'info', 'empty text');
  return Object.freeze({ ...item, parts: Object.freeze(parts) });
}

function isEmpty(part: ContentPart, { protocol, blankIsEmpty }: HistoryRules): boolean {
  if (part.kind !== 'text' && part.kind !== 'refusal') return false;
  // An empty text of Gemini may carry a signature.
  if (
    part.kind === 'text' &&
    part.text === '' &&
    part.extensions?.protocol === protocol &&
    protocol === 'gemini'
  ) {
    return false;
  }
  return blankIsEmpty ? part.text.trim() === '' : part.text === '';
}

/** A call as the target may see it: its id, arguments that can be read, and no signature of another route. */
export function guardCall(
  item: ToolCallItem,
  callId: string,
  path: string,
  rules: HistoryRules,
  losses: LossLog,
): ToolCallItem {
  const { signature, ...rest } = item;
  const keeps = signature === undefined || isOwn(signature, rules);
  if (!keeps) losses.add('dropped', `${path}/signature`, 'warning', 'a thought signature of another route');
  const text = guardArguments(item.arguments, path, rules, losses);
  if (keeps && callId === item.callId && text === item.arguments) return item;
  return Object.freeze({ ...rest, callId, arguments: text, ...(keeps && signature ? { signature } : {}) });
}

function guardArguments(text: string, path: string, rules: HistoryRules, losses: LossLog): string {
  if (rules.brokenArguments === 'text') return text;
  const isObject = text.trim() !== '' && toArgumentObject(text, path, createLossLog()) !== undefined;
  if (isObject) return text;
  const isBlank = text.trim() === '';
  losses.add(
    'approximated',
    `${path}/arguments`,
    isBlank ? 'info' : 'warning',
    isBlank
      ? 'no arguments are an empty object'
      : 'arguments that cannot be read are replayed as an empty object',
  );
  return '{}';
}

/** A thought, or `undefined` for one that the target did not give. */
export function guardReasoning(
  item: ReasoningItem,
  path: string,
  rules: HistoryRules,
  losses: LossLog,
): ReasoningItem | undefined {
  if (isOwnThought(item, rules)) return item;
  losses.add('dropped', path, 'warning', 'reasoning of another route is not replayed');
  return undefined;
}

function isOwnThought({ opaque, extensions, id }: ReasoningItem, rules: HistoryRules): boolean {
  if (rules.reasoning === 'none') return false;
  if (opaque !== undefined) return isOwn(opaque, rules);
  if (extensions !== undefined) return extensions.protocol === rules.protocol;
  // Only Responses names its thoughts, and takes them back by that name.
  return rules.protocol === 'openai-responses' && id !== undefined;
}

function isOwn(opaque: OpaqueReasoning, { protocol, reasoning }: HistoryRules): boolean {
  return reasoning === 'own' && opaque.protocol === protocol;
}

/** An item without a neutral form, or `undefined` where the target would not understand it. */
export function guardForeign(
  item: ForeignItem,
  path: string,
  { foreign }: HistoryRules,
  losses: LossLog,
): ForeignItem | undefined {
  if (item.protocol === foreign) return item;
  losses.add('refused', path, 'error', 'an item that only its own protocol understands');
  return undefined;
}
