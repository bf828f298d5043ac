import type { Item } from '../call/item.ts';

/**
 * What stands for a signature in a thought that is shown to a client of Anthropic and that no model of Anthropic has
 * thought. Its own API refuses it like every other one that it did not make.
 */
export const UNSIGNED_THOUGHT = 'toolgate-unsigned';

/** The name that a thought of another wire gets for a client of OpenAI Responses; its own names are longer. */
const MADE_UP_NAME = /^rs_[0-9a-f]{24}$/;

/**
 * Whether a thought of a conversation was only shown: it comes from an answer of another protocol, and a provider of the
 * client's own one would refuse it.
 */
export function isUnsignedThought(item: Item): boolean {
  if (item.kind !== 'reasoning') return false;
  if (item.opaque !== undefined) return item.opaque.value === UNSIGNED_THOUGHT;
  return item.id !== undefined && MADE_UP_NAME.test(item.id);
}
