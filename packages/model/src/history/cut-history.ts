import type { Item, MessageItem } from '../call/item.ts';
import { isAssistantItem, type Pairs, pairCalls } from './pair-calls.ts';

/** A tool whose results were left out. */
export interface LeftOutTool {
  readonly name: string;
  readonly results: number;
  /** Under which the whole results are kept, where that is known; the latest ones of many. */
  readonly handles?: readonly string[];
}

/** Settings of {@link cutHistory}. */
export interface CutHistoryOptions {
  /** The handle under which the whole result of a call is kept, from its outcome (`truncated.handle`). Default: none is. */
  readonly handleOf?: (callId: string) => string | undefined;
}

/** A history without its older part. */
export interface CutHistory {
  /** Leading system messages, the notice, and the newer part. */
  readonly items: readonly Item[];
  /** How many items were left out. */
  readonly leftOut: number;
  /** The tools whose results are among them, by name. */
  readonly tools: readonly LeftOutTool[];
  /** What tells the model that something is missing; `undefined` when nothing is. */
  readonly notice: MessageItem | undefined;
}

/**
 * Leaves out the older part of a history, never between a call and its result and never inside a turn. The newer part
 * begins with what a user said, where that is possible. A notice says how much is missing and of which tools, and where
 * whole results are kept, so that a model does not make the values up.
 *
 * @param keep - How many of the latest items to keep at most; more are kept where there is no place to cut behind that.
 */
export function cutHistory(
  items: readonly Item[],
  keep: number,
  { handleOf = () => undefined }: CutHistoryOptions = {},
): CutHistory {
  const head = items.findIndex(
    (item) => !(item.kind === 'message' && (item.role === 'system' || item.role === 'developer')),
  );
  const first = head === -1 ? items.length : head;
  const pairs = pairCalls(items);
  const place = placeToCut(
    items,
    pairs,
    first,
    Math.max(first, items.length - Math.max(0, Math.floor(keep))),
  );
  if (place <= first) return Object.freeze({ items, leftOut: 0, tools: [], notice: undefined });
  const tools = toolsBetween(items, pairs, [first, place], handleOf);
  const notice = toNotice(place - first, tools);
  return Object.freeze({
    items: Object.freeze([...items.slice(0, first), notice, ...items.slice(place)]),
    leftOut: place - first,
    tools: Object.freeze(tools),
    notice,
  });
}

/** The first user's turn from `wanted` on; else the last one before it; else any place that parts no pair. */
function placeToCut(items: readonly Item[], pairs: Pairs, first: number, wanted: number): number {
  const isOpen = openPlaces(items, pairs);
  const isUser = (index: number): boolean => {
    const item = items[index];
    return item?.kind === 'message' && item.role === 'user' && isOpen(index);
  };
  for (let index = wanted; index < items.length; index += 1) if (isUser(index)) return index;
  for (let index = wanted; index > first; index -= 1) if (isUser(index)) return index;
  for (let index = wanted; index < items.length; index += 1) if (isOpen(index)) return index;
  for (let index = wanted; index > first; index -= 1) if (isOpen(index)) return index;
  return first;
}

/** Tells at which places a cut parts neither a call from its result nor a turn. Linear in the number of items. */
function openPlaces(items: readonly Item[], { calls }: Pairs): (index: number) => boolean {
  const changes = new Int32Array(items.length + 2);
  for (const { index, result, duplicate } of calls.values()) {
    const from = Math.min(index, result ?? index);
    const to = Math.max(index, result ?? index, duplicate ?? index);
    changes[from + 1] = (changes[from + 1] ?? 0) + 1;
    changes[to + 1] = (changes[to + 1] ?? 0) - 1;
  }
  const crossed = new Int32Array(items.length + 1);
  let open = 0;
  for (let index = 0; index <= items.length; index += 1) {
    open += changes[index] ?? 0;
    crossed[index] = open;
  }
  return (index) => {
    const item = items[index];
    const before = items[index - 1];
    const inTurn =
      item !== undefined && before !== undefined && isAssistantItem(item) && isAssistantItem(before);
    return crossed[index] === 0 && !inTurn && item?.kind !== 'tool-result';
  };
}

function toolsBetween(
  items: readonly Item[],
  pairs: Pairs,
  [from, to]: readonly [number, number],
  handleOf: (callId: string) => string | undefined,
): readonly LeftOutTool[] {
  const left = new Map<string, { results: number; readonly handles: string[] }>();
  for (const { index, callId, result } of pairs.calls.values()) {
    const call = items[index];
    if (index < from || index >= to || result === undefined || call?.kind !== 'tool-call') continue;
    const tool = left.get(call.name) ?? { results: 0, handles: [] };
    left.set(call.name, tool);
    tool.results += 1;
    const handle = handleOf(callId);
    if (handle !== undefined) tool.handles.push(handle);
  }
  return [...left]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, { results, handles }]) => ({
      name,
      results,
      ...(handles.length === 0 ? {} : { handles: handles.slice(-MAX_HANDLES) }),
    }));
}

/** Tools that a notice names; more are counted together. */
const MAX_NAMED = 20;
/** Handles that a notice gives of one tool. */
const MAX_HANDLES = 5;

function toNotice(leftOut: number, tools: readonly LeftOutTool[]): MessageItem {
  const named = tools.slice(0, MAX_NAMED).map(describeTool);
  const more = tools.length > MAX_NAMED ? `, and ${tools.length - MAX_NAMED} more tools` : '';
  const results =
    tools.length === 0
      ? ''
      : ` Results of tools are among them and not known here: ${named.join(', ')}${more}.`;
  const text = `[${leftOut} earlier ${leftOut === 1 ? 'entry' : 'entries'} of this conversation were left out.${results}]`;
  return Object.freeze({
    kind: 'message',
    role: 'user',
    parts: Object.freeze([Object.freeze({ kind: 'text', text })]),
  });
}

function describeTool({ name, results, handles = [] }: LeftOutTool): string {
  const kept = handles.length === 0 ? '' : `; kept whole under ${handles.join(' ')}`;
  return `${name} (${results}${kept})`;
}
