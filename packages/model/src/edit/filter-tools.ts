import type { Protocol } from '../call/protocol.ts';
import type { Edit } from './edit.ts';
import { filterChoice } from './filter-choice.ts';
import { filterDeclarations } from './filter-declarations.ts';
import type { Container, MemberSpan } from './json-spans.ts';
import { removeEntries, type Splice } from './splice.ts';
import { type KnownToolLists, toolLists } from './tool-list.ts';

/** A `filter-tools` edit. */
export type ToolFilter = Extract<Edit, { readonly kind: 'filter-tools' }>;

/**
 * Leaves only some tools. Where none are left, the list goes, and what speaks about it with it, as every provider
 * refuses an empty list or a choice without tools.
 */
export function filterTools(
  protocol: Protocol,
  text: string,
  body: Container<MemberSpan>,
  filter: ToolFilter,
  known?: KnownToolLists,
): readonly Splice[] {
  if (protocol === 'gemini') return filterDeclarations(text, body, filter);
  const keep = new Set(filter.keep);
  const isKept = (name: string | undefined): boolean => {
    return name === undefined ? filter.foreign === 'keep' : keep.has(name);
  };
  const lists = toolLists(protocol, text, body, known);
  const left = lists.some(({ names }) => names.some(isKept));
  const touched = lists.some(({ names }) => !names.every(isKept));
  if (!touched) return [];
  const gone = new Set<string>();
  const splices: Splice[] = [];
  for (const { member, list, names } of lists) {
    if (!names.some(isKept)) gone.add(member);
    else splices.push(...removeEntries(list, (position) => !isKept(names[position])));
  }
  const choice = filterChoice(text, body, { isKept, left });
  splices.push(...choice.splices);
  for (const name of choice.gone) gone.add(name);
  if (!left) gone.add('parallel_tool_calls');
  return [...splices, ...removeEntries(body, (position) => gone.has(body.entries[position]?.name ?? ''))];
}
