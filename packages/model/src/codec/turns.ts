import type {
  ForeignItem,
  Item,
  MessageItem,
  ReasoningItem,
  ToolCallItem,
  ToolResultItem,
} from '../call/item.ts';
import { ModelError } from '../model-error.ts';
import type { LossLog } from './loss-log.ts';

/** An item with its place in the call. */
export interface Placed<Kind> {
  readonly item: Kind;
  readonly index: number;
}

/** What a model said in one go. */
export interface AssistantTurn {
  readonly kind: 'assistant';
  readonly entries: readonly Placed<MessageItem | ToolCallItem | ReasoningItem | ForeignItem>[];
}

/** All results of one assistant turn, in the order in which the conversation has them. */
export interface ResultTurn {
  readonly kind: 'results';
  readonly entries: readonly Placed<ToolResultItem>[];
}

/** Something a user or an operator said. */
export interface OtherTurn {
  readonly kind: 'other';
  readonly entry: Placed<MessageItem | ForeignItem>;
}

/** A step of a conversation for wires that want calls and results in neighbouring messages. */
export type Turn = AssistantTurn | ResultTurn | OtherTurn;

/** Settings of {@link toTurns}. */
export interface TurnOptions {
  /** The call id of a foreign item that is answered by an ordinary result. */
  readonly foreignCallId?: (item: ForeignItem) => string | undefined;
}

/**
 * Groups items into turns: neighbouring assistant items are one turn, and the results of its calls follow it at once,
 * whatever stood between them (that is an `info` loss). Linear in the number of items.
 *
 * @throws ModelError `model/not-encodable` for a result whose call does not come before it.
 */
export function toTurns(items: readonly Item[], losses: LossLog, options: TurnOptions = {}): readonly Turn[] {
  const resultsOf = matchResults(items, options);
  const turns: Turn[] = [];
  let index = 0;
  while (index < items.length) {
    const item = items[index];
    if (item === undefined || item.kind === 'tool-result') {
      index += 1;
    } else if (!isAssistant(item)) {
      turns.push({ kind: 'other', entry: { item, index } });
      index += 1;
    } else {
      const entries: AssistantTurn['entries'][number][] = [];
      const results: number[] = [];
      for (let next = items[index]; next !== undefined && isAssistant(next); next = items[index]) {
        entries.push({ item: next, index });
        for (const result of resultsOf.get(index) ?? []) results.push(result);
        index += 1;
      }
      turns.push({ kind: 'assistant', entries });
      if (results.length === 0) continue;
      results.sort((left, right) => left - right);
      turns.push({ kind: 'results', entries: results.map((at) => placedResult(items, at)) });
      logMoved(results, index, losses);
    }
  }
  return turns;
}

/** The indexes of the results of each call, by the index of the call. */
function matchResults(items: readonly Item[], options: TurnOptions): ReadonlyMap<number, readonly number[]> {
  const calls = new Map<string, number>();
  const results = new Map<number, number[]>();
  items.forEach((item, index) => {
    const callId = item.kind === 'foreign' ? options.foreignCallId?.(item) : callIdOf(item);
    if (callId !== undefined) calls.set(callId, index);
    if (item.kind !== 'tool-result') return;
    const call = calls.get(item.callId);
    if (call === undefined) {
      throw new ModelError('model/not-encodable', 'A tool result has no call before it.', {
        pointer: `/items/${index}`,
      });
    }
    const known = results.get(call);
    if (known === undefined) results.set(call, [index]);
    else known.push(index);
  });
  return results;
}

function callIdOf(item: Item): string | undefined {
  return item.kind === 'tool-call' ? item.callId : undefined;
}

function isAssistant(item: Item): item is MessageItem | ToolCallItem | ReasoningItem | ForeignItem {
  if (item.kind === 'message' || item.kind === 'foreign') return item.role === 'assistant';
  return item.kind !== 'tool-result';
}

function placedResult(items: readonly Item[], index: number): Placed<ToolResultItem> {
  const item = items[index];
  if (item?.kind !== 'tool-result') throw new TypeError('not a result');
  return { item, index };
}

/** Logs results that do not follow directly; the first one is expected at `index`. */
function logMoved(results: readonly number[], index: number, losses: LossLog): void {
  let expected = index;
  for (const result of results) {
    if (result !== expected) {
      losses.add('relocated', `/items/${result}`, 'info', 'a tool result moved right behind its call');
    }
    expected = result + 1;
  }
}
