import type { ForeignItem, OpaqueReasoning } from '../call/item.ts';
import type { FinishReason, Usage } from '../call/model-response.ts';

/**
 * One step of a streamed answer. `index` names the block within the answer: blocks are numbered from 0 in the order
 * in which they started, may interleave, and are opened and closed exactly once.
 *
 * Order: `response-start`, then blocks, `usage` and `warning` anywhere, then exactly one of `response-end` or
 * `response-error`. The deltas of one block joined are its whole text; an end of the input without a terminal event
 * is a `response-error` with code `model/stream-incomplete`.
 */
export type ModelEvent =
  | {
      readonly kind: 'response-start';
      readonly id: string | null;
      readonly model: string | null;
      readonly createdAt?: number;
    }
  | { readonly kind: 'text-start'; readonly index: number; readonly itemId?: string }
  | { readonly kind: 'text-delta'; readonly index: number; readonly text: string }
  | { readonly kind: 'text-end'; readonly index: number }
  | { readonly kind: 'refusal-start'; readonly index: number; readonly itemId?: string }
  | { readonly kind: 'refusal-delta'; readonly index: number; readonly text: string }
  | { readonly kind: 'refusal-end'; readonly index: number }
  | { readonly kind: 'reasoning-start'; readonly index: number; readonly itemId?: string }
  | {
      readonly kind: 'reasoning-delta';
      readonly index: number;
      readonly text: string;
      readonly summary?: boolean;
    }
  | { readonly kind: 'reasoning-end'; readonly index: number; readonly opaque?: OpaqueReasoning }
  | {
      readonly kind: 'call-start';
      readonly index: number;
      readonly callId: string;
      readonly name: string;
      readonly itemId?: string;
      readonly signature?: OpaqueReasoning;
    }
  | { readonly kind: 'call-delta'; readonly index: number; readonly delta: string }
  /** The provider finished the call. `arguments` equals the joined deltas (empty text stays empty). */
  | {
      readonly kind: 'call-end';
      readonly index: number;
      readonly callId: string;
      readonly name: string;
      readonly arguments: string;
    }
  /** A block that only its own protocol understands, whole. */
  | { readonly kind: 'foreign'; readonly index: number; readonly item: ForeignItem }
  /** Counts so far; a later event replaces an earlier one. */
  | { readonly kind: 'usage'; readonly usage: Usage }
  | { readonly kind: 'warning'; readonly code: string; readonly detail: string }
  | {
      readonly kind: 'response-end';
      readonly finish: FinishReason;
      readonly finishDetail?: string;
      readonly stopSequence?: string | null;
    }
  | { readonly kind: 'response-error'; readonly code: string; readonly message: string };
