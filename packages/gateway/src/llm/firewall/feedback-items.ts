import type { Item } from '@toolgate/model';
import type { RefusedCall } from './turn-firewall.ts';

/**
 * A turn and the answers to its refused calls, as the model reads them in a hidden round: what it said, what it wanted,
 * and why it does not get that.
 */
export function feedbackItems(turn: readonly Item[], refused: readonly RefusedCall[]): readonly Item[] {
  const results = refused.map(
    ({ callId, name, text }): Item => ({
      kind: 'tool-result',
      callId,
      name,
      parts: [{ kind: 'text', text }],
      isError: true,
    }),
  );
  return [...turn, ...results];
}
