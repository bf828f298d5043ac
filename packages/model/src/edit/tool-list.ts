import type { Protocol } from '../call/protocol.ts';
import type { ToolFilter } from './edit.ts';
import {
  arrayAt,
  type Container,
  kindAt,
  type MemberSpan,
  memberAt,
  objectAt,
  type Span,
  stringAt,
} from './json-spans.ts';
import type { JsonText } from './json-text.ts';
import type { Splice } from './splice.ts';

/** One list of tools of a request. */
export interface ToolList {
  /** The member of the body that holds the list or its entry. */
  readonly member: string;
  readonly list: Container<Span>;
  /** By how much a list that came before stands further on than its spans say; absent where they are right. */
  readonly shift?: number;
  /** The function's name of each entry, or `undefined` for what is no function. */
  readonly names: readonly (string | undefined)[];
  /** Gemini: the entry that holds the list, and that entry's place in `tools`. */
  readonly within?: {
    readonly entry: Container<MemberSpan>;
    readonly position: number;
    readonly name: string;
  };
}

/** What a filter does to one list. */
export interface ToolCut {
  /** Whether any tool stays. */
  readonly left: boolean;
  /** Whether any goes. */
  readonly touched: boolean;
  /** In the places of the list. */
  readonly splices: readonly Splice[];
}

/** Lists that were looked at before; the same text gives the same list, but for where it begins. */
export interface KnownToolLists {
  /** The list of a member whose value begins at `start`. */
  listOf(member: string, start: number, look: () => ToolList): ToolList;
  /** What a filter does to a list; found once, where the filter cannot change. */
  cutOf(list: Container<Span>, filter: ToolFilter, find: () => ToolCut): ToolCut;
}

/**
 * All lists of tools of a request; most have one.
 *
 * @param known - Of this very text.
 */
export function toolLists(
  protocol: Protocol,
  text: JsonText,
  body: Container<MemberSpan>,
  known?: KnownToolLists,
): readonly ToolList[] {
  const lists: ToolList[] = [];
  const add = (member: string, nameOf: (tool: Container<MemberSpan>) => string | undefined): void => {
    const found = memberAt(body, member);
    if (found === undefined || kindAt(text, found.value) === 'null') return;
    const { start } = found.value;
    const look = (): ToolList => {
      const list = arrayAt(text, start);
      return { member, list, names: list.entries.map((entry) => nameOf(objectAt(text, entry.start))) };
    };
    lists.push(known === undefined ? look() : known.listOf(member, start, look));
  };
  const member = (tool: Container<MemberSpan>, name: string): string | undefined => {
    const value = memberAt(tool, name)?.value;
    return value === undefined ? undefined : stringAt(text, value);
  };

  switch (protocol) {
    case 'openai-chat':
      add('tools', (tool) => {
        const value = member(tool, 'type') === 'function' ? memberAt(tool, 'function')?.value : undefined;
        return value === undefined ? undefined : member(objectAt(text, value.start), 'name');
      });
      add('functions', (tool) => member(tool, 'name'));
      return lists;
    case 'openai-responses':
      add('tools', (tool) => (member(tool, 'type') === 'function' ? member(tool, 'name') : undefined));
      return lists;
    case 'anthropic':
      add('tools', (tool) =>
        (member(tool, 'type') ?? 'custom') === 'custom' ? member(tool, 'name') : undefined,
      );
      return lists;
    case 'gemini':
      return declarationLists(text, body);
  }
}

function declarationLists(text: JsonText, body: Container<MemberSpan>): readonly ToolList[] {
  const tools = memberAt(body, 'tools');
  if (tools === undefined || kindAt(text, tools.value) === 'null') return [];
  return arrayAt(text, tools.value.start).entries.flatMap((span, position) => {
    const entry = objectAt(text, span.start);
    return entry.entries.flatMap((held): readonly ToolList[] => {
      const declares = held.name === 'functionDeclarations' || held.name === 'function_declarations';
      if (!declares || kindAt(text, held.value) === 'null') return [];
      const list = arrayAt(text, held.value.start);
      const names = list.entries.map((declaration) => {
        const value = memberAt(objectAt(text, declaration.start), 'name')?.value;
        return value === undefined ? undefined : stringAt(text, value);
      });
      return [{ member: 'tools', list, names, within: { entry, position, name: held.name } }];
    });
  });
}
