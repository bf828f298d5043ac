import type { Item } from '../call/item.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { isPlaceholderId, syntheticId } from '../codec/synthetic-id.ts';
import { createIdMap, type IdRule } from '../naming/id-map.ts';
import type { PairedCall } from './pair-calls.ts';

/**
 * The id of each call on the wire, by place: legal there, and no two calls of the history share one. A call without an
 * id, or with one that an earlier call has, gets one that its place and its content decide.
 */
export function assignIds(
  items: readonly Item[],
  calls: Iterable<PairedCall>,
  rule: IdRule,
  losses: LossLog,
): ReadonlyMap<number, string> {
  const listed = [...calls];
  const map = createIdMap([], rule);
  const used = new Set<string>();
  const ids = new Map<number, string>();
  // Calls that only their own protocol understands keep their id, whatever the others need.
  for (const { index, callId } of listed) {
    if (items[index]?.kind === 'tool-call') continue;
    used.add(callId);
    ids.set(index, callId);
  }
  for (const { index, callId } of listed) {
    const item = items[index];
    if (item?.kind !== 'tool-call') continue;
    const path = `/items/${index}/callId`;
    let wireId = isPlaceholderId(callId) ? undefined : map.toWire(callId);
    if (wireId === undefined) losses.add('synthesised', path, 'info', 'a call without an id got one');
    else if (used.has(wireId)) {
      losses.add('synthesised', path, 'info', 'a call with the id of an earlier one got another');
      wireId = undefined;
    } else if (wireId !== callId) {
      losses.add('approximated', path, 'info', 'the target does not accept the id; an alias stands for it');
    }
    for (let attempt = 0; wireId === undefined || used.has(wireId); attempt += 1) {
      wireId = map.toWire(syntheticId('call', index, attempt, item.name, item.arguments));
    }
    used.add(wireId);
    ids.set(index, wireId);
  }
  return ids;
}
