import type { ReadJsonOptions } from '@toolgate/core';

/** How a message is read that is only looked at: whatever is JSON. Its length is bounded by who received it. */
export const ANY_JSON: ReadJsonOptions = Object.freeze({
  maxBytes: 'none',
  maxDepth: 'none',
  noncharacters: 'allow',
  inexactIntegers: 'allow',
});
