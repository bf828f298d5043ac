import { JsonError, readJson } from '@toolgate/core';
import { GatewayError } from '../ports/gateway-error.ts';
import { mendText } from './mend-text.ts';
import type { ColumnValue } from './steps.ts';

/** Longest text in an entry, in UTF-16 units; what a log says about a request is short. */
const MAX_TEXT_LENGTH = 4_096;
const READING = { maxBytes: 'none', maxDepth: 1_000 } as const;

/** The JSON of an entry of a log, with texts that any strict reader takes. */
export function writeEntry(entry: object): string {
  const text = JSON.stringify(entry);
  // Nearly all entries; nothing in one is longer than the whole.
  if (text.length <= MAX_TEXT_LENGTH && isPlain(text)) return text;
  return JSON.stringify(entry, (_name, value: unknown) =>
    typeof value === 'string' ? mendText(value, MAX_TEXT_LENGTH) : value,
  );
}

/** Whether no text in a JSON has to be mended: what might be is outside of ASCII, or written as `\u` and four digits. */
function isPlain(json: string): boolean {
  return Buffer.byteLength(json) === json.length && !json.includes('\\u');
}

/**
 * What {@link writeEntry} wrote. The type is that of the writer: the table is ours.
 *
 * @param columns - Members that may be missing in the text, because a column says the same.
 * @param contents - What {@link writeContents} wrote, where contents are kept. Default: none.
 * @throws GatewayError `gateway/record-unreadable`.
 */
export function readEntry<Entry>(
  columns: Readonly<Record<string, ColumnValue>>,
  text: string,
  contents: string | null = null,
): Entry {
  try {
    const members = [text, contents ?? '{}'].map((each) => Object.entries(readJson(each, READING) ?? {}));
    const said = Object.entries(columns).filter(([, value]) => value !== null);
    return Object.freeze(Object.fromEntries([...said, ...members.flat()])) as Entry;
  } catch (cause) {
    if (!JsonError.is(cause)) throw cause;
    throw new GatewayError('gateway/record-unreadable', 'An entry of a log cannot be read.', { cause });
  }
}

/** The JSON of contents that are kept; `null` for none. Long ones are kept whole. */
export function writeContents(contents: Readonly<Record<string, unknown>>): string | null {
  const kept = Object.entries(contents).filter(([, value]) => value !== undefined);
  if (kept.length === 0) return null;
  const object = Object.fromEntries(kept);
  const text = JSON.stringify(object);
  if (isPlain(text)) return text;
  return JSON.stringify(object, (_name, value: unknown) =>
    typeof value === 'string' ? mendText(value, value.length) : value,
  );
}
