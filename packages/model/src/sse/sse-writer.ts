import { ModelError } from '../model-error.ts';

/** What {@link writeSseMessage} writes. */
export interface SseMessageFields {
  /** Left out when absent or `''`. */
  readonly event?: string;
  /** May hold line ends: each line gets its own `data` field. */
  readonly data: string;
  readonly id?: string;
}

const LINE_END = /\r\n|\r|\n/;

/**
 * Writes one event of an event stream, with LF line ends and the blank line after it.
 *
 * @throws ModelError `model/options-invalid` for a name or id that would break out of its line.
 * @see WHATWG HTML, section 9.2.5 "Parsing an event stream".
 */
export function writeSseMessage({ event, data, id }: SseMessageFields): string {
  const head = `${lineOf('event', event)}${lineOf('id', id)}`;
  if (!data.includes('\n') && !data.includes('\r')) return `${head}data: ${data}\n\n`;
  return `${head}data: ${data.split(LINE_END).join('\ndata: ')}\n\n`;
}

/** Writes a comment, which clients skip: it keeps an idle connection open. */
export function writeSseComment(text: string): string {
  return `: ${text.split(LINE_END).join('\n: ')}\n\n`;
}

function lineOf(name: string, value: string | undefined): string {
  if (value === undefined || value === '') return '';
  if (LINE_END.test(value) || value.includes('\0')) {
    throw new ModelError('model/options-invalid', `The ${name} field of an event must be one line.`);
  }
  return `${name}: ${value}\n`;
}
