import type { JsonObject } from '@toolgate/core';
import { type Codec, type Coded, collectResponse, type Loss, type ModelEvent } from '@toolgate/model';
import type { AnswerStep } from './answer-step.ts';
import type { AnswerWriter } from './answer-writer.ts';
import { joinBytes } from './join-bytes.ts';

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
  const steps: AnswerStep[] = [];
  let isRaw = true;
  let encoded: Coded<JsonObject> | undefined;

  /** What the answer is when it is written anew. Asked for when it is all there: its losses are told before it goes out. */
  const encode = (): Coded<JsonObject> => {
    encoded ??= codec.encodeResponse(collectResponse(steps.flatMap(({ events }) => events)));
    return encoded;
  };
  const isBroken = (): boolean => lastEvent(steps)?.kind === 'response-error';

  return {
    emit(step: AnswerStep) {
      steps.push(step);
      if (step.raw === undefined) isRaw = false;
    },
    end() {
      if (isBroken()) return deliver({ kind: 'broken' });
      if (isRaw) return deliver({ kind: 'answer', body: joinBytes(bytesOf(steps)), losses: NO_LOSSES });
      const { losses, value } = encode();
      deliver({ kind: 'answer', body: JSON.stringify(value), losses });
    },
    encodeFromHere() {
      isRaw = false;
    },
    losses: () => (isRaw || isBroken() ? NO_LOSSES : encode().losses),
  };
}

const NO_LOSSES: readonly Loss[] = Object.freeze([]);

function lastEvent(steps: readonly AnswerStep[]): ModelEvent | undefined {
  return steps.findLast(({ events }) => events.length > 0)?.events.at(-1);
}

function bytesOf(steps: readonly AnswerStep[]): readonly Uint8Array[] {
  const [only] = steps;
  if (only !== undefined && steps.length === 1) return only.raw ?? [];
  return steps.flatMap(({ raw }) => raw ?? []);
}
