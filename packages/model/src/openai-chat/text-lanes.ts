import { toExtensions } from '../codec/extensions.ts';
import type { ResponseWriter, TextualKind } from '../event/response-writer.ts';
import type { Draft } from '../internal/draft.ts';
import { CHAT } from './chat-protocol.ts';
import type { ThoughtField } from './thinking-part.ts';

/**
 * The three texts that one Chat message has. Whatever the order in which their pieces come, the whole message holds
 * the thoughts, then the text, then the refusal, then the calls; so each text has a fixed place before all calls, and
 * pieces that come after another text or a call has begun continue it.
 */
export interface TextLanes {
  reasoning(text: string, field: ThoughtField): void;
  text(text: string): void;
  refusal(text: string): void;
  /** Closes the open text. */
  close(): void;
  readonly refused: boolean;
}

interface Lane {
  readonly kind: TextualKind;
  readonly place: number;
  opened: boolean;
  current: number;
}

/** Makes the lanes of one answer; they take its first three places. */
export function createTextLanes(writer: ResponseWriter): TextLanes {
  const lane = (kind: TextualKind): Lane => {
    const place = writer.reserve();
    return { kind, place, opened: false, current: place };
  };
  const thoughts = lane('reasoning');
  const text = lane('text');
  const refusal = lane('refusal');
  let open: Lane | undefined;
  let field: ThoughtField = 'reasoning_content';

  const close = (): void => {
    if (open === thoughts) writer.closeText(open.current, { extensions: toExtensions(CHAT, { field }) });
    else if (open !== undefined) writer.closeText(open.current);
    open = undefined;
  };
  const write = (target: Lane, piece: string): void => {
    if (piece === '') return;
    if (open !== target) {
      close();
      if (target.opened) target.current = writer.reserve();
      writer.openText(target.kind, target.current, target.opened ? { continues: target.place } : {});
      target.opened = true;
      if (target === refusal) lanes.refused = true;
      open = target;
    }
    writer.text(target.current, piece);
  };

  const lanes: Draft<TextLanes> = {
    reasoning(piece, name) {
      if (!thoughts.opened) field = name;
      write(thoughts, piece);
    },
    text: (piece) => write(text, piece),
    refusal: (piece) => write(refusal, piece),
    close,
    refused: false,
  };
  return lanes;
}
