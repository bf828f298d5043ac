import type { StreamEnding } from '@toolgate/model';
import type { AnswerReader } from './answer-reader.ts';

/** How an answer is read. */
export type AnswerForm = 'stream' | 'whole';

/** Blank bytes that may come before anything else: some providers send them while the model thinks. */
const MAX_BLANK_BYTES = 1024 * 1024;

/**
 * Makes a reader that believes the first byte of an answer more than its header: an object is no stream of events, and a
 * stream of events is no JSON, whatever they are called.
 *
 * @param said - What the header says, for answers that begin like neither.
 */
export function createBelievedReader(
  said: AnswerForm,
  create: (form: AnswerForm) => AnswerReader,
): AnswerReader {
  return new BelievedReader(said, create);
}

class BelievedReader implements AnswerReader {
  readonly #said: AnswerForm;
  readonly #create: (form: AnswerForm) => AnswerReader;
  #reader: AnswerReader | undefined = undefined;
  /** Mostly nothing comes before the first byte that says something. */
  #blank: Uint8Array[] | undefined = undefined;
  #blankBytes = 0;

  constructor(said: AnswerForm, create: (form: AnswerForm) => AnswerReader) {
    this.#said = said;
    this.#create = create;
  }

  push(chunk: Uint8Array): 'stop' | undefined {
    if (this.#reader !== undefined) return this.#reader.push(chunk);
    const byte = firstByte(chunk);
    if (byte !== undefined) return this.#begin(formOf(byte) ?? this.#said).push(chunk);
    this.#blank ??= [];
    this.#blank.push(chunk);
    this.#blankBytes += chunk.byteLength;
    return this.#blankBytes > MAX_BLANK_BYTES ? 'stop' : undefined;
  }

  ending(): StreamEnding {
    return this.#reader?.ending?.() ?? 'no';
  }

  end(): void {
    (this.#reader ?? this.#begin(this.#said)).end();
  }

  #begin(form: AnswerForm): AnswerReader {
    const reader = this.#create(form);
    for (const chunk of this.#blank ?? []) reader.push(chunk);
    this.#blank = undefined;
    this.#reader = reader;
    return reader;
  }
}

const OBJECT = 0x7b;
const LIST = 0x5b;
/** With which a line of an event stream begins: `data`, `event`, `id`, `retry`, or the colon of a comment. */
const OF_EVENTS: ReadonlySet<number> = new Set([0x64, 0x65, 0x69, 0x72, 0x3a]);

function formOf(byte: number): AnswerForm | undefined {
  if (byte === OBJECT || byte === LIST) return 'whole';
  return OF_EVENTS.has(byte) ? 'stream' : undefined;
}

/** The first byte that is neither white space nor of a byte order mark. */
function firstByte(chunk: Uint8Array): number | undefined {
  for (let at = 0; at < chunk.byteLength; at++) {
    const byte = chunk[at] ?? 0;
    if (byte > 0x20 && byte !== 0xef && byte !== 0xbb && byte !== 0xbf) return byte;
  }
  return undefined;
}
