import type { SseMessage } from './sse-item.ts';
import { isStray } from './stray-line.ts';

/** Gathers the fields of one event after the other. */
export interface EventFields {
  /** Takes one line; gives the event that a blank line ends. */
  line(line: string): SseMessage | 'too-large' | undefined;
  /** Whether no field of the next event was seen. */
  atStart(): boolean;
  /** Gives an event of one line of data, of which no field was seen before. */
  whole(data: string): SseMessage;
  /** Takes the last line, which nothing ended; gives the event that is still open. */
  end(line: string): SseMessage | 'too-large' | undefined;
  /** @see SseParser.strays */
  strays(): boolean;
}

/** Makes a gatherer for one stream; `maxLength` bounds the data of one event. */
export function createEventFields(maxLength: number): EventFields {
  return new Fields(maxLength);
}

class Fields implements EventFields {
  readonly #maxLength: number;
  #event = '';
  #data: string | undefined = undefined;
  /** Whether a line of the data says something. */
  #said = false;
  #id = '';
  #strays = false;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  atStart(): boolean {
    return this.#event === '' && this.#data === undefined;
  }

  whole(data: string): SseMessage {
    return Object.freeze({ kind: 'message', event: '', data, id: this.#id, terminated: true });
  }

  line(line: string): SseMessage | 'too-large' | undefined {
    return line === '' ? this.#dispatch(true) : this.#field(line);
  }

  end(line: string): SseMessage | 'too-large' | undefined {
    return (line === '' ? undefined : this.#field(line)) ?? this.#dispatch(false);
  }

  strays(): boolean {
    const are = this.#strays;
    this.#strays = false;
    return are;
  }

  #dispatch(terminated: boolean): SseMessage | undefined {
    const event = this.#event;
    const data = this.#data;
    this.#event = '';
    this.#data = undefined;
    this.#said = false;
    if (data === undefined) return undefined;
    return Object.freeze({ kind: 'message', event, data, id: this.#id, terminated });
  }

  #field(line: string): 'too-large' | undefined {
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (name === 'data') {
      const before = this.#data;
      // Readers that take each line by itself would read another event.
      const says = value.trim() !== '';
      this.#strays ||= this.#said && says;
      this.#said ||= says;
      this.#data = before === undefined ? value : `${before}\n${value}`;
      return this.#data.length > this.#maxLength ? 'too-large' : undefined;
    }
    this.#strays ||= isStray(name, value);
    if (name === 'event') this.#event = value;
    else if (name === 'id' && !value.includes('\0')) this.#id = value;
    return undefined;
  }
}
