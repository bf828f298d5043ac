import type { Extensions } from '../call/extensions.ts';
import type { ForeignContent, ForeignItem, MediaContent, OpaqueReasoning } from '../call/item.ts';
import type { FinishReason, Usage } from '../call/model-response.ts';
import type { UnreadCall } from './call-warning.ts';

/**
 * One step of a streamed answer. `index` names the block and is its place in the whole answer: sorted by it, the blocks
 * are the items of the {@link ModelResponse} in order. Numbers usually grow in the order of the starts; they may have
 * gaps, and a block whose place is known to be earlier (Chat text after a call) may start later. Blocks may interleave;
 * each is opened and closed at most once.
 *
 * Order: `response-start`, then blocks and `usage` anywhere, then exactly one of `response-end` or `response-error`.
 * Warnings may come before the start, and a failure may be the only event. The deltas of one block joined are its whole text; an end of the input without a terminal event
 * is a `response-error` with code `model/stream-incomplete`. A call without a `call-end` was not finished by the provider
 * and is never executed. Neighbouring text, refusal and part blocks with the same `itemId` (none counts as one) are the
 * parts of one message.
 */
export type ModelEvent =
  | {
      readonly kind: 'response-start';
      readonly id: string | null;
      readonly model: string | null;
      readonly createdAt?: number;
      /** Members of the wire's envelope without a neutral form, as far as known at the start. */
      readonly extensions?: Extensions;
    }
  | TextualStart<'text-start'>
  | { readonly kind: 'text-delta'; readonly index: number; readonly text: string }
  /** `extensions` are those of the text part, for example annotations. */
  | { readonly kind: 'text-end'; readonly index: number; readonly extensions?: Extensions }
  | TextualStart<'refusal-start'>
  | { readonly kind: 'refusal-delta'; readonly index: number; readonly text: string }
  | { readonly kind: 'refusal-end'; readonly index: number }
  | TextualStart<'reasoning-start'>
  | {
      readonly kind: 'reasoning-delta';
      readonly index: number;
      readonly text: string;
      /** Whether this is a summary and not the thought itself. */
      readonly summary?: boolean;
      /** Which summary, from 0; absent is 0. */
      readonly summaryIndex?: number;
    }
  | {
      readonly kind: 'reasoning-end';
      readonly index: number;
      readonly opaque?: OpaqueReasoning;
      readonly extensions?: Extensions;
    }
  | {
      readonly kind: 'call-start';
      readonly index: number;
      readonly callId: string;
      readonly name: string;
      readonly itemId?: string;
      readonly signature?: OpaqueReasoning;
      readonly extensions?: Extensions;
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
  /** A part of a message that is not text, whole: a generated image, or something only its own protocol understands. */
  | {
      readonly kind: 'part';
      readonly index: number;
      readonly part: MediaContent | ForeignContent;
      readonly itemId?: string;
      readonly message?: Extensions;
    }
  /** A block that only its own protocol understands, whole. */
  | { readonly kind: 'foreign'; readonly index: number; readonly item: ForeignItem }
  /** Counts so far; a later event replaces an earlier one. */
  | { readonly kind: 'usage'; readonly usage: Usage }
  | {
      readonly kind: 'warning';
      readonly code: string;
      readonly detail: string;
      /** The block that it is about; only with the codes `call-begun` and `run-begun`. */
      readonly index?: number;
      /** The calls that it is about; only with the code `call-unread`. */
      readonly calls?: readonly UnreadCall[];
    }
  | {
      readonly kind: 'response-end';
      readonly finish: FinishReason;
      readonly finishDetail?: string;
      readonly stopSequence?: string | null;
      /** Members of the wire's envelope without a neutral form; they replace those of the start. */
      readonly extensions?: Extensions;
    }
  | {
      readonly kind: 'response-error';
      /** Usually a `ModelErrorCode`. */
      readonly code: string;
      /** A fixed sentence of ours, safe to show. */
      readonly message: string;
      /** The provider's own short word for the failure (`overloaded_error`), where it gave one. */
      readonly providerCode?: string;
    };

/** The start of a block of text. */
export interface TextualStart<Kind extends 'text-start' | 'refusal-start' | 'reasoning-start'> {
  readonly kind: Kind;
  readonly index: number;
  readonly itemId?: string;
  /** Members of the message around the block that have no neutral form. */
  readonly message?: Extensions;
  /** An earlier, closed block of which this one is the rest: the whole answer holds both as one. */
  readonly continues?: number;
}
