import type { JsonValue } from '@toolgate/core';
import type { ContentPart, Item } from '../call/item.ts';
import type { Instruction } from '../call/model-call.ts';
import { compact } from '../codec/compact.ts';
import { memberOf, unreadMembers } from '../codec/wire-reader.ts';
import { decodePart, type PartContext } from './decode-part.ts';
import { oneOrMany } from './one-or-many.ts';

const ROLES: ReadonlyMap<string, 'user' | 'assistant'> = new Map([
  ['user', 'user'],
  // Older clients answer calls in a role of its own.
  ['function', 'user'],
  ['model', 'assistant'],
]);

const READ = new Set(['role', 'parts']);

/** The `contents` member. */
export function decodeContents(context: PartContext, value: JsonValue | undefined): readonly Item[] {
  const { reader, ids, losses } = context;
  let before: 'user' | 'assistant' = 'user';
  const items = oneOrMany(reader, value, '/contents').flatMap((entry, index) => {
    const pointer = `/contents/${index}`;
    const content = reader.object(entry, pointer);
    const named = reader.optional('string', memberOf(content, 'role'), `${pointer}/role`) ?? 'user';
    const role = ROLES.get(named) ?? reader.fail(`${pointer}/role`, 'is no known role');
    if (unreadMembers(content, READ) !== undefined) {
      losses.add('dropped', pointer, 'info', 'members of a content that have no neutral form');
    }
    if (role === 'assistant' && before === 'user') ids.nextTurn();
    before = role;
    return decodeParts(context, memberOf(content, 'parts') ?? [], role, `${pointer}/parts`);
  });
  return Object.freeze(items);
}

/** The items of one content; pieces that stand together are one message. */
export function decodeParts(
  context: PartContext,
  value: JsonValue,
  role: 'user' | 'assistant',
  pointer: string,
): readonly Item[] {
  const items: Item[] = [];
  let parts: ContentPart[] = [];
  const flush = (): void => {
    if (parts.length > 0) items.push(Object.freeze({ kind: 'message', role, parts: Object.freeze(parts) }));
    parts = [];
  };
  oneOrMany(context.reader, value, pointer).forEach((entry, index) => {
    const place = `${pointer}/${index}`;
    const decoded = decodePart(context, context.reader.object(entry, place), role, place);
    if ('part' in decoded) parts.push(decoded.part);
    else {
      flush();
      items.push(decoded.item);
    }
  });
  flush();
  return items;
}

/** The `systemInstruction` member: a content, or a text as some clients send it. */
export function decodeSystem(
  context: PartContext,
  value: JsonValue | undefined,
): readonly Instruction[] | null | undefined {
  const { reader } = context;
  if (value === undefined || value === null) return value;
  if (typeof value === 'string') return Object.freeze([Object.freeze({ role: 'system', text: value })]);
  const content = reader.object(value, '/systemInstruction');
  const parts = oneOrMany(reader, memberOf(content, 'parts') ?? [], '/systemInstruction/parts');
  return Object.freeze(
    parts.map((entry, index) => {
      const pointer = `/systemInstruction/parts/${index}`;
      const decoded = decodePart(context, reader.object(entry, pointer), 'user', pointer);
      if (!('part' in decoded) || decoded.part.kind !== 'text') return reader.fail(pointer, 'must be a text');
      return compact<Instruction>({
        role: 'system',
        text: decoded.part.text,
        extensions: decoded.part.extensions,
      });
    }),
  );
}
