import type { Item, ToolResultItem } from '../call/item.ts';
import type { Protocol } from '../call/protocol.ts';
import type { Coded } from '../codec/codec.ts';
import { createLossLog, type LossLog } from '../codec/loss-log.ts';
import { ModelError } from '../model-error.ts';
import { guardCall, guardForeign, guardMessage, guardReasoning } from './guard-item.ts';
import { type HistoryProfile, type HistoryRules, toHistoryRules } from './history-profile.ts';
import { isAssistantItem, type PairedCall, pairCalls } from './pair-calls.ts';
import { assignIds } from './wire-ids.ts';

/** What is sent for a call without a result. It claims nothing about whether the call ran. */
export const NOT_COMPLETED: string =
  'No result was recorded for this call. Whether it ran, and with what effect, is unknown.';

/**
 * The history as the target may see it: each call has exactly one result, right behind its turn and in call order; ids
 * are unique and legal there; there is no empty text; arguments can be read; thoughts go only where they came from. What
 * needs no change is the very same item. The stored history is not changed and must not be replaced by this: every
 * repair is a loss, with the place in the history as given.
 *
 * @param profile - The target, or its protocol for the defaults.
 * @throws ModelError `model/history-invalid` with the place, for a result without a call or a call without a result where
 *   the profile refuses them.
 */
export function guardHistory(
  items: readonly Item[],
  profile: HistoryProfile | Protocol,
): Coded<readonly Item[]> {
  const rules = toHistoryRules(profile);
  const losses = createLossLog();
  const { calls, duplicates, orphans } = pairCalls(items);
  refuseOrphans(orphans, rules, losses);
  for (const index of duplicates) {
    losses.add('dropped', `/items/${index}`, 'warning', 'a second result of a call; the first one counts');
  }
  const ids = assignIds(items, calls.values(), rules.ids, losses);
  const guarded: Item[] = [];
  let turn: TurnEntry[] = [];

  const endTurn = (next: number): void => {
    const results: number[] = [];
    for (const { item } of withoutLooseThoughts(turn, losses)) guarded.push(item);
    for (const { call, item } of turn) {
      if (call === undefined) continue;
      guarded.push(resultOf(call, item, items, ids.get(call.index) ?? call.callId, rules, losses));
      if (call.result !== undefined) results.push(call.result);
    }
    logMoved(results, next, losses);
    turn = [];
  };

  items.forEach((item, index) => {
    const path = `/items/${index}`;
    if (!isAssistantItem(item)) {
      if (turn.length > 0) endTurn(index);
      if (item.kind === 'tool-result') return;
      const kept = guardOther(item, path, rules, losses);
      if (kept !== undefined) guarded.push(kept);
      return;
    }
    const call = calls.get(index);
    const kept =
      item.kind === 'tool-call'
        ? guardCall(item, ids.get(index) ?? item.callId, path, rules, losses)
        : guardOther(item, path, rules, losses);
    if (kept !== undefined) turn.push({ item: kept, path, call });
    else if (call?.result !== undefined) {
      losses.add(
        'dropped',
        `/items/${call.result}`,
        'warning',
        'the result of a call that is not understood',
      );
    }
  });
  endTurn(items.length);
  return Object.freeze({ value: Object.freeze(guarded), losses: losses.losses });
}

interface TurnEntry {
  readonly item: Item;
  readonly path: string;
  readonly call: PairedCall | undefined;
}

function guardOther(item: Item, path: string, rules: HistoryRules, losses: LossLog): Item | undefined {
  switch (item.kind) {
    case 'message':
      return guardMessage(item, path, rules, losses);
    case 'reasoning':
      return guardReasoning(item, path, rules, losses);
    case 'foreign':
      return guardForeign(item, path, rules, losses);
    case 'tool-call':
    case 'tool-result':
      return item;
  }
}

/** A thought must be followed by what it led to; at the end of a turn providers refuse it. */
function withoutLooseThoughts(turn: readonly TurnEntry[], losses: LossLog): readonly TurnEntry[] {
  const last = turn.findLastIndex(({ item }) => item.kind !== 'reasoning');
  for (const { path } of turn.slice(last + 1)) {
    losses.add('dropped', path, 'warning', 'a thought that nothing follows in its turn');
  }
  return turn.slice(0, last + 1);
}

function resultOf(
  call: PairedCall,
  item: Item,
  items: readonly Item[],
  callId: string,
  rules: HistoryRules,
  losses: LossLog,
): ToolResultItem {
  const result = call.result === undefined ? undefined : items[call.result];
  if (result?.kind === 'tool-result') {
    return result.callId === callId ? result : Object.freeze({ ...result, callId });
  }
  const path = `/items/${call.index}`;
  if (rules.missing === 'refuse') throw invalid('A call has no result.', path);
  losses.add('synthesised', path, 'warning', 'a call without a result got one that says so');
  return Object.freeze({
    kind: 'tool-result',
    callId,
    ...(item.kind === 'tool-call' ? { name: item.name } : {}),
    parts: Object.freeze([Object.freeze({ kind: 'text', text: NOT_COMPLETED })]),
    isError: true,
  });
}

function refuseOrphans(orphans: readonly number[], rules: HistoryRules, losses: LossLog): void {
  for (const index of orphans) {
    const path = `/items/${index}`;
    if (rules.orphans === 'refuse') throw invalid('A tool result belongs to no call.', path);
    losses.add('dropped', path, 'warning', 'a tool result that belongs to no call');
  }
}

/** Logs results that did not stand right behind their turn, in the order of its calls; the first is expected at `next`. */
function logMoved(results: readonly number[], next: number, losses: LossLog): void {
  let expected = next;
  for (const result of results) {
    if (result !== expected) {
      losses.add('relocated', `/items/${result}`, 'info', 'a tool result moved to its place behind its turn');
    }
    expected = result + 1;
  }
}

function invalid(message: string, pointer: string): ModelError {
  return new ModelError('model/history-invalid', message, { pointer });
}
