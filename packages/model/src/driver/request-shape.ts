import type { Item } from '../call/item.ts';
import type { ModelCall } from '../call/model-call.ts';

/**
 * What a request looked like, without any of its content: for the person who has to find out why a provider refused it.
 */
export function describeRequest({ items, tools }: ModelCall, length?: number): string {
  const counts = new Map<Item['kind'], number>();
  for (const { kind } of items) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const parts = [...counts].map(([kind, count]) => `${count} ${kind}`);
  const held = parts.length === 0 ? 'no items' : parts.join(', ');
  const size = length === undefined ? '' : `; ${length} characters`;
  return `The request had ${held}; ${tools?.length ?? 0} tools${size}; ${pairing(items)}.`;
}

function pairing(items: readonly Item[]): string {
  const open = new Set<string>();
  let orphans = 0;
  for (const item of items) {
    if (item.kind === 'tool-call') open.add(item.callId);
    if (item.kind === 'tool-result' && !open.delete(item.callId)) orphans += 1;
  }
  if (open.size === 0 && orphans === 0) return 'every call had one result';
  return `${open.size} calls had no result and ${orphans} results had no call`;
}
