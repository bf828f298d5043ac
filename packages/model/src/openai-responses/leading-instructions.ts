import type { Item } from '../call/item.ts';
import type { Instruction } from '../call/model-call.ts';
import { compact } from '../codec/compact.ts';

/** The texts of operators at the head of a conversation, which instruct, and what comes after them. */
export function splitInstructions(items: readonly Item[]): {
  readonly leading: readonly Instruction[];
  readonly rest: readonly Item[];
} {
  const leading: Instruction[] = [];
  let count = 0;
  for (const item of items) {
    const instructions = toInstructions(item);
    if (instructions === undefined) break;
    leading.push(...instructions);
    count += 1;
  }
  return { leading, rest: Object.freeze(items.slice(count)) };
}

/** One instruction a text part, or `undefined` for an item that is more than an instruction. */
function toInstructions(item: Item): readonly Instruction[] | undefined {
  if (item.kind !== 'message' || (item.role !== 'system' && item.role !== 'developer')) return undefined;
  const { role, parts, id, extensions: members } = item;
  const list: Instruction[] = [];
  for (const part of parts) {
    if (part.kind !== 'text' || id !== undefined) return undefined;
    if (members !== undefined && (part.extensions !== undefined || parts.length > 1)) return undefined;
    const extensions = part.extensions ?? members;
    list.push(compact<Instruction>({ role, text: part.text, origin: 'item', extensions }));
  }
  return list.length === 0 ? undefined : list;
}
