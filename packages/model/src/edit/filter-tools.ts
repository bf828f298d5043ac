import type { Protocol } from '../call/protocol.ts';
import type { ToolFilter } from './edit.ts';
import { filterChoice } from './filter-choice.ts';
import { filterDeclarations } from './filter-declarations.ts';
import type { Container, MemberSpan } from './json-spans.ts';
import type { JsonText } from './json-text.ts';
import { removeEntries, type Splice } from './splice.ts';
import { type KnownToolLists, type ToolCut, type ToolList, toolLists } from './tool-list.ts';

/**
 * Leaves only some tools. Where none are left, the list goes, and what speaks about it with it, as every provider
 * refuses an empty list or a choice without tools.
 */
export function filterTools(
  protocol: Protocol,
  text: JsonText,
  body: Container<MemberSpan>,
  filter: ToolFilter,
  known?: KnownToolLists,
): readonly Splice[] {
  if (protocol === 'gemini') return filterDeclarations(text, body, filter);
  const isKept = keeper(filter);
  const lists = toolLists(protocol, text, body, known);
  let left = false;
  let touched = false;
  const cuts: { readonly list: ToolList; readonly cut: ToolCut }[] = [];
  for (const list of lists) {
    const cut = cutOf(list, filter, isKept, known);
    left ||= cut.left;
    touched ||= cut.touched;
    cuts.push({ list, cut });
  }
  if (!touched) return [];
  const gone = new Set<string>();
  const splices: Splice[] = [];
  for (const { cut, list } of cuts) {
    const { shift = 0 } = list;
    if (!cut.left) gone.add(list.member);
    else
      for (const { end, start, text: none } of cut.splices)
        splices.push({ start: start + shift, end: end + shift, text: none });
  }
  const choice = filterChoice(text, body, { isKept, left });
  splices.push(...choice.splices);
  for (const name of choice.gone) gone.add(name);
  if (!left) gone.add('parallel_tool_calls');
  if (gone.size === 0) return splices;
  return [...splices, ...removeEntries(body, (position) => gone.has(body.entries[position]?.name ?? ''))];
}

/** Looks names up in a set that is made for the first of them. */
function keeper(filter: ToolFilter): (name: string | undefined) => boolean {
  let keep: ReadonlySet<string> | undefined;
  return (name) => {
    if (name === undefined) return filter.foreign === 'keep';
    keep ??= new Set(filter.keep);
    return keep.has(name);
  };
}

function cutOf(
  { list, names, shift }: ToolList,
  filter: ToolFilter,
  isKept: (name: string | undefined) => boolean,
  known: KnownToolLists | undefined,
): ToolCut {
  const find = (): ToolCut => ({
    left: names.some(isKept),
    touched: !names.every(isKept),
    splices: removeEntries(list, (position) => !isKept(names[position])),
  });
  // Only a list that comes again is worth a note.
  return known === undefined || shift === undefined ? find() : known.cutOf(list, filter, find);
}
