import type { Item } from '../call/item.ts';
import type { LossLog } from './loss-log.ts';

/**
 * Logs texts of an operator at the head of a conversation, for wires on which they cannot be told from instructions:
 * they have the same place and the same authority.
 */
export function noteLeadingOperator(items: readonly Item[], losses: LossLog): void {
  for (const [index, item] of items.entries()) {
    if (item.kind !== 'message' || (item.role !== 'system' && item.role !== 'developer')) return;
    if (index === 0)
      losses.add('relocated', '/instructions', 'info', 'a leading text of an operator is an instruction');
    losses.add('relocated', `/items/${index}`, 'info', 'a leading text of an operator is an instruction');
  }
}
