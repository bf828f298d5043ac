import { toExtensions } from '../codec/extensions.ts';
import type { ResponseWriter, TextualKind } from '../event/response-writer.ts';
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
  return new Lanes(writer);
}

class Lanes implements TextLanes {
  readonly #writer: ResponseWriter;
  /** The first of the three places. */
  readonly #place: number;
  #thoughts: Lane | undefined = undefined;
  #text: Lane | undefined = undefined;
  #refusal: Lane | undefined = undefined;
  #open: Lane | undefined = undefined;
  #field: ThoughtField = 'reasoning_content';
  refused = false;

  constructor(writer: ResponseWriter) {
    this.#writer = writer;
    this.#place = writer.reserve();
    writer.reserve();
    writer.reserve();
  }

  reasoning(piece: string, name: ThoughtField): void {
    this.#thoughts ??= laneAt('reasoning', this.#place);
    if (!this.#thoughts.opened) this.#field = name;
    this.#write(this.#thoughts, piece);
  }

  text(piece: string): void {
    this.#text ??= laneAt('text', this.#place + 1);
    this.#write(this.#text, piece);
  }

  refusal(piece: string): void {
    if (piece === '') return;
    this.#refusal ??= laneAt('refusal', this.#place + 2);
    this.refused = true;
    this.#write(this.#refusal, piece);
  }

  close(): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    if (open !== this.#thoughts) this.#writer.closeText(open.current);
    else this.#writer.closeText(open.current, { extensions: toExtensions(CHAT, { field: this.#field }) });
  }

  #write(target: Lane, piece: string): void {
    if (piece === '') return;
    const writer = this.#writer;
    if (this.#open !== target) {
      this.close();
      if (target.opened) target.current = writer.reserve();
      writer.openText(target.kind, target.current, target.opened ? { continues: target.place } : {});
      target.opened = true;
      this.#open = target;
    }
    writer.text(target.current, piece);
  }
}

function laneAt(kind: TextualKind, place: number): Lane {
  return { kind, place, opened: false, current: place };
}
