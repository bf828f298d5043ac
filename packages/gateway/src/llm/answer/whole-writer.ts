import { type Codec, collectResponse, type Loss, type ModelEvent } from '@toolgate/model';
import type { AnswerStep } from './answer-step.ts';
import type { AnswerWriter } from './answer-writer.ts';

/** A whole answer for a client. */
export type WholeAnswer =
  | { readonly kind: 'answer'; readonly body: Uint8Array | string; readonly losses: readonly Loss[] }
  /** It broke off; no part of it goes out. */
  | { readonly kind: 'broken' };

/**
 * Makes the writer of an answer that is not streamed: the provider's own bytes as long as nothing was changed, else the
 * answer anew.
 */
export function createWholeWriter(codec: Codec, deliver: (answer: WholeAnswer) => void): AnswerWriter {
  const events: ModelEvent[] = [];
  const pieces: Uint8Array[] = [];
  let isRaw = true;
  let losses: readonly Loss[] = [];

  return {
    emit(step: AnswerStep) {
      events.push(...step.events);
      if (step.raw === undefined) isRaw = false;
      else pieces.push(...step.raw);
    },
    end() {
      if (events.at(-1)?.kind === 'response-error') return deliver({ kind: 'broken' });
      if (isRaw) return deliver({ kind: 'answer', body: joined(pieces), losses });
      const encoded = codec.encodeResponse(collectResponse(events));
      losses = encoded.losses;
      deliver({ kind: 'answer', body: JSON.stringify(encoded.value), losses });
    },
    encodeFromHere() {
      isRaw = false;
    },
    losses: () => losses,
  };
}

/** All pieces as one; one that is the whole is not copied. */
function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  return only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces);
}
