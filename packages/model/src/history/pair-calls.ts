import type { Item } from '../call/item.ts';
import { isPlaceholderId } from '../codec/synthetic-id.ts';
import { customCallId } from '../openai-chat/custom-call.ts';

/** One call of a history and where its result is. */
export interface PairedCall {
  /** Place of the call among the items. */
  readonly index: number;
  /** The id as it stands; may be empty, and the same for several calls. */
  readonly callId: string;
  /** Place of its result; `undefined` when there is none. */
  result?: number;
  /** Place of the last of its further results, which do not count. */
  duplicate?: number;
}

/** Who belongs to whom in a history. */
export interface Pairs {
  /** By place of the call, in order. */
  readonly calls: ReadonlyMap<number, PairedCall>;
  /** Second and later results of a call; the first one wins. */
  readonly duplicates: readonly number[];
  /** Results that no call can be found for. */
  readonly orphans: readonly number[];
}

interface OpenTurn {
  readonly turn: number;
  readonly calls: PairedCall[];
  next: number;
}

/**
 * Pairs calls and results. A result belongs to a call of the latest turn that has an open one with its id, the first of
 * them; so ids that a server uses again in every turn stay apart. Ids that are none (`''`, `null`) pair in order. A result
 * that stands before its call is taken if nothing else answers that call. Linear in the number of items.
 */
export function pairCalls(items: readonly Item[]): Pairs {
  const calls = new Map<number, PairedCall>();
  const open = new Map<string, OpenTurn[]>();
  const early: number[] = [];
  const duplicates: number[] = [];
  const latest = new Map<string, PairedCall>();
  let turn = 0;
  let speaking = false;

  items.forEach((item, index) => {
    const isAssistant = isAssistantItem(item);
    if (isAssistant && !speaking) turn += 1;
    speaking = isAssistant;
    const callId = callIdOf(item);
    if (callId !== undefined) {
      const call: PairedCall = { index, callId };
      calls.set(index, call);
      addOpen(open, keyOf(callId), turn, call);
      latest.set(keyOf(callId), call);
    } else if (item.kind === 'tool-result') {
      const key = keyOf(item.callId);
      const call = takeOpen(open, key);
      const answered = latest.get(key);
      if (call !== undefined) call.result = index;
      else if (answered === undefined) early.push(index);
      else {
        answered.duplicate = index;
        duplicates.push(index);
      }
    }
  });
  const orphans = early.filter((index) => {
    const item = items[index];
    const call = item?.kind === 'tool-result' ? takeFirst(open, keyOf(item.callId)) : undefined;
    if (call !== undefined) call.result = index;
    return call === undefined;
  });
  return { calls, duplicates, orphans };
}

/** Whether an item was said by the model. */
export function isAssistantItem(item: Item): boolean {
  if (item.kind === 'message' || item.kind === 'foreign') return item.role === 'assistant';
  return item.kind !== 'tool-result';
}

/** The id of a call, foreign ones that an ordinary result answers included. */
function callIdOf(item: Item): string | undefined {
  if (item.kind === 'tool-call') return item.callId;
  return item.kind === 'foreign' ? customCallId(item) : undefined;
}

function keyOf(callId: string): string {
  return isPlaceholderId(callId) ? '' : callId;
}

function addOpen(open: Map<string, OpenTurn[]>, key: string, turn: number, call: PairedCall): void {
  const turns = open.get(key) ?? [];
  if (turns.length === 0) open.set(key, turns);
  const last = turns.at(-1);
  if (last?.turn === turn) last.calls.push(call);
  else turns.push({ turn, calls: [call], next: 0 });
}

function takeOpen(open: ReadonlyMap<string, OpenTurn[]>, key: string): PairedCall | undefined {
  const turns = open.get(key);
  for (let last = turns?.at(-1); last !== undefined; last = turns?.at(-1)) {
    const call = last.calls[last.next];
    last.next += 1;
    if (call !== undefined) return call;
    turns?.pop();
  }
  return undefined;
}

/** The first open call of all turns. */
function takeFirst(open: ReadonlyMap<string, OpenTurn[]>, key: string): PairedCall | undefined {
  const turns = open.get(key);
  for (let first = turns?.[0]; first !== undefined; first = turns?.[0]) {
    const call = first.calls[first.next];
    first.next += 1;
    if (call !== undefined) return call;
    turns?.shift();
  }
  return undefined;
}
