import type { SseMessage } from './sse-item.ts';

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
}

/** Makes a gatherer for one stream; `maxLength` bounds the data of one event. */
export function createEventFields(maxLength: number): EventFields {
  let event = '';
  let data: string | undefined;
  let id = '';

  const dispatch = (terminated: boolean): SseMessage | undefined => {
    const message =
      data === undefined
        ? undefined
        : Object.freeze({ kind: 'message' as const, event, data, id, terminated });
    event = '';
    data = undefined;
    return message;
  };

  const field = (line: string): 'too-large' | undefined => {
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (name === 'data') data = data === undefined ? value : `${data}\n${value}`;
    else if (name === 'event') event = value;
    else if (name === 'id' && !value.includes('\0')) id = value;
    return data !== undefined && data.length > maxLength ? 'too-large' : undefined;
  };

  return {
    atStart: () => event === '' && data === undefined,
    whole: (text) => Object.freeze({ kind: 'message' as const, event: '', data: text, id, terminated: true }),
    line: (line) => (line === '' ? dispatch(true) : field(line)),
    end: (line) => (line === '' ? undefined : field(line)) ?? dispatch(false),
  };
}
