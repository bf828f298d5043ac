import type { ToolFilter } from './edit.ts';
import {
  arrayAt,
  type Container,
  impossible,
  type MemberSpan,
  memberAt,
  objectAt,
  stringAt,
} from './json-spans.ts';
import type { JsonText } from './json-text.ts';
import { removeEntries, type Splice } from './splice.ts';
import { type ToolList, toolLists } from './tool-list.ts';

/**
 * The same for Gemini, whose functions are declared inside of entries that may hold other tools as well. An entry or a
 * list that holds nothing more goes, and the calling configuration with the last function.
 */
export function filterDeclarations(
  text: JsonText,
  body: Container<MemberSpan>,
  filter: ToolFilter,
): readonly Splice[] {
  const tools = memberAt(body, 'tools');
  if (tools === undefined) return [];
  const entries = arrayAt(text, tools.value.start);
  const lists = toolLists('gemini', text, body);
  const keep = new Set(filter.keep);
  const isKept = (name: string | undefined): boolean => name !== undefined && keep.has(name);
  const splices: Splice[] = [];
  const goneEntries = entries.entries.map((span, position) => {
    const object = objectAt(text, span.start);
    const held = lists.filter((list) => list.within?.position === position);
    const goneMembers = object.entries.map(({ name }) => isGone(name, held, isKept, filter));
    if (goneMembers.every(Boolean)) return true;
    splices.push(...removeEntries(object, (at) => goneMembers[at] === true));
    for (const { list, names } of held) {
      if (names.some(isKept)) splices.push(...removeEntries(list, (at) => !isKept(names[at])));
    }
    return false;
  });
  const left = lists.some(({ names }) => names.some(isKept));
  const touched = splices.length > 0 || goneEntries.includes(true);
  if (!touched) return [];
  const all = goneEntries.every(Boolean);
  if (all) splices.push(...removeEntries(body, (position) => body.entries[position]?.name === 'tools'));
  else splices.push(...removeEntries(entries, (position) => goneEntries[position] === true));
  return [...splices, ...filterConfig(text, body, { isKept, left })];
}

function isGone(
  name: string,
  held: readonly ToolList[],
  isKept: (name: string | undefined) => boolean,
  filter: ToolFilter,
): boolean {
  const list = held.find(({ within }) => within?.name === name);
  return list === undefined ? filter.foreign === 'remove' : !list.names.some(isKept);
}

interface Kept {
  readonly isKept: (name: string | undefined) => boolean;
  readonly left: boolean;
}

function filterConfig(
  text: JsonText,
  body: Container<MemberSpan>,
  { isKept, left }: Kept,
): readonly Splice[] {
  const config = memberAt(body, 'toolConfig') ?? memberAt(body, 'tool_config');
  if (config === undefined) return [];
  const outer = objectAt(text, config.value.start);
  const calling = memberAt(outer, 'functionCallingConfig') ?? memberAt(outer, 'function_calling_config');
  if (calling === undefined) return [];
  const inner = objectAt(text, calling.value.start);
  const mode = memberAt(inner, 'mode')?.value;
  const demands = mode !== undefined && stringAt(text, mode) === 'ANY';
  const names = memberAt(inner, 'allowedFunctionNames') ?? memberAt(inner, 'allowed_function_names');
  const list = names === undefined ? undefined : arrayAt(text, names.value.start);
  const stays = list?.entries.map((entry) => isKept(stringAt(text, entry)));
  const none = !left || (stays !== undefined && stays.length > 0 && !stays.includes(true));
  if (none && (demands || left)) throw impossible('its calling mode demands a function that is filtered out');
  if (!left) return removeEntries(outer, (position) => outer.entries[position] === calling);
  return list === undefined || stays === undefined
    ? []
    : removeEntries(list, (position) => stays[position] !== true);
}
