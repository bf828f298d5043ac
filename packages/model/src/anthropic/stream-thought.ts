import type { JsonObject } from '@toolgate/core';
import type { LossLog } from '../codec/loss-log.ts';
import { UNSIGNED_THOUGHT } from '../codec/unsigned-thought.ts';
import type { ModelEvent } from '../event/model-event.ts';
import { ANTHROPIC } from './anthropic-protocol.ts';
import { noteUnsigned } from './encode-response.ts';

type EventOf<Kind extends ModelEvent['kind']> = Extract<ModelEvent, { readonly kind: Kind }>;

/** What the blocks of a stream are written with. */
export interface BlockWriter {
  readonly start: (block: JsonObject) => string;
  readonly delta: (members: JsonObject) => string;
  readonly stop: () => string;
}

/** The thoughts of one streamed answer. */
export interface StreamThought {
  start(event: EventOf<'reasoning-start'>): string;
  delta(event: EventOf<'reasoning-delta'>): string;
  end(event: EventOf<'reasoning-end'>): string;
}

/** Makes the writer of thoughts. Whether a thought is a redacted one shows at its end, so its start waits for text. */
export function createStreamThought({ start, delta, stop }: BlockWriter, losses: LossLog): StreamThought {
  let open = false;
  let summary: number | undefined;

  const begin = (): string => {
    if (open) return '';
    open = true;
    return start({ type: 'thinking', thinking: '', signature: '' });
  };

  return {
    start({ index, itemId: id }) {
      open = false;
      summary = undefined;
      noteUnsigned(id === undefined ? {} : { id }, `/items/${index}`, losses);
      return '';
    },
    delta({ index, text, summary: isSummary, summaryIndex = 0 }) {
      const head = begin();
      if (isSummary !== true) return head + delta({ type: 'thinking_delta', thinking: text });
      if (summary === undefined) {
        losses.add('approximated', `/items/${index}/summary`, 'info', 'a thought has one text here');
      }
      const parted = summary !== undefined && summary !== summaryIndex;
      summary = summaryIndex;
      return head + delta({ type: 'thinking_delta', thinking: parted ? `\n\n${text}` : text });
    },
    end({ index, opaque, extensions }) {
      const path = `/items/${index}`;
      if (opaque?.protocol === ANTHROPIC && opaque.form === 'redacted') {
        return (open ? '' : start({ type: 'redacted_thinking', data: opaque.value })) + stop();
      }
      if (opaque?.protocol === ANTHROPIC && opaque.form === 'signature') {
        return begin() + delta({ type: 'signature_delta', signature: opaque.value }) + stop();
      }
      noteUnsigned({ ...(opaque ? { opaque } : {}), ...(extensions ? { extensions } : {}) }, path, losses);
      if (open) return delta({ type: 'signature_delta', signature: UNSIGNED_THOUGHT }) + stop();
      losses.add('dropped', path, 'info', 'a thought without text says nothing here');
      return '';
    },
  };
}
