import type { Extensions } from './extensions.ts';
import type { Item } from './item.ts';

/** Why a model stopped, in neutral words; `unknown` is never read as a clean stop after a tool call. */
export type FinishReason =
  | 'stop'
  | 'tool-calls'
  | 'length'
  | 'content-filter'
  | 'refusal'
  | 'paused'
  | 'error'
  | 'unknown';

/** Tokens as counted by the provider. `null` is unknown, never 0. */
export interface Usage {
  /** All input tokens, cached ones included. */
  readonly inputTotal: number | null;
  /** Of the input tokens, those that were read from a cache. */
  readonly cacheRead: number | null;
  /** Of the input tokens, those that were written into a cache. */
  readonly cacheWrite: number | null;
  /** All output tokens, reasoning included. */
  readonly outputTotal: number | null;
  /** Of the output tokens, those of reasoning. */
  readonly reasoning: number | null;
}

/** One whole answer of a model. */
export interface ModelResponse {
  readonly id: string | null;
  readonly model: string | null;
  /** What the model said, thought and proposed, in order. */
  readonly items: readonly Item[];
  readonly finish: FinishReason;
  /** The provider's own word for `finish`. */
  readonly finishDetail?: string;
  /** The stop sequence that was hit, where the wire says so. */
  readonly stopSequence?: string | null;
  /** Call ids that the provider did not finish; such calls are never executed. */
  readonly incomplete?: readonly string[];
  readonly usage: Usage | null;
  /** Seconds since the epoch, where the wire carries it. */
  readonly createdAt?: number;
  readonly extensions?: Extensions;
}
