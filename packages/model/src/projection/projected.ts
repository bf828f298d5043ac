import type { JsonObject } from '@toolgate/core';
import type { Restore } from './restore.ts';

/** One schema as the endpoint may see it. */
export interface Projected {
  readonly schema: JsonObject;
  /** Nothing matches it; where it can be left out, it is. */
  readonly never?: boolean;
  /** How a value that matches it becomes a value for the original; absent when they are the same. */
  readonly restore?: Restore;
}
