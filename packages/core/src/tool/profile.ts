import type { JsonObject } from '../json/json-value.ts';

/** How much a tool can do to the world, from least to most. A word outside the list ranks highest. */
export type ExecutionClass = 'unclassified' | 'read' | 'write' | 'external';

/** What happens to a result that is larger than its budget. */
export type ResultOverflow = 'truncate' | 'fail' | 'store';

/** How many bytes of UTF-8 a result may have, and what happens beyond. */
export interface ResultBudget {
  readonly bytes: number | 'none';
  readonly overflow: ResultOverflow;
}

/** Execution metadata of one tool; enforced by the gate, never shown to the model. */
export interface Profile {
  /** Default `unclassified`. */
  readonly class?: ExecutionClass;
  /**
   * Calls with the same key run one after the other, in call order. A function gets the admitted arguments.
   * No key: the class alone decides (see the gate).
   */
  readonly resourceKey?: string | ((args: JsonObject) => string);
  /** Wall-clock bound of one call in milliseconds; `'none'` has to be written. Default 600,000. */
  readonly timeoutMs?: number | 'none';
  /** A repeated call with the same arguments has no further effect. Default `false`. */
  readonly idempotent?: boolean;
  /**
   * Name of a tool that shows whether a call took effect. When nobody knows whether one did, the model is told to ask it
   * before repeating the call, where the session offers that tool.
   */
  readonly checkWith?: string;
}

/** Bound of one call whose tool declares none: 10 minutes. */
export const DEFAULT_TIMEOUT_MS = 600_000;
