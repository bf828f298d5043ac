import type { JsonObject } from '@toolgate/core';
import type { ContentPart, ToolResultItem } from '../call/item.ts';
import type { LossLog } from './loss-log.ts';

/** Says in the text of a tool result that the tool failed, on wires that have no member for it. */
export const TOOL_ERROR_MARK = '[toolgate:error] ';

/** Says that the text of a result only looks marked. */
const TOOL_TEXT_MARK = '[toolgate:text] ';

/**
 * Puts the failure of a tool into its text. The text of a success that begins like a mark gets a mark of its own, so
 * that reading gives back exactly what was written.
 */
export function markToolText(text: string, isError: boolean): string {
  if (isError) return TOOL_ERROR_MARK + text;
  return text.startsWith(TOOL_ERROR_MARK) || text.startsWith(TOOL_TEXT_MARK) ? TOOL_TEXT_MARK + text : text;
}

/** Undoes {@link markToolText}. */
export function readToolText(text: string): { readonly text: string; readonly isError: boolean } {
  if (text.startsWith(TOOL_ERROR_MARK)) return { text: text.slice(TOOL_ERROR_MARK.length), isError: true };
  const marked = text.startsWith(TOOL_TEXT_MARK);
  return { text: marked ? text.slice(TOOL_TEXT_MARK.length) : text, isError: false };
}

/** Undoes the mark of a result's first text. */
export function readMarkedParts(parts: readonly ContentPart[]): {
  readonly parts: readonly ContentPart[];
  readonly isError: boolean;
} {
  const [first, ...rest] = parts;
  if (first?.kind !== 'text') return { parts, isError: false };
  const { text, isError } = readToolText(first.text);
  if (text === first.text) return { parts, isError };
  // A mark alone stands before parts that are no text.
  if (text === '' && rest.length > 0) return { parts: Object.freeze(rest), isError };
  return { parts: Object.freeze([Object.freeze({ ...first, text }), ...rest]), isError };
}

/**
 * Marks the first text of encoded parts; a failure whose first part is no text gets one in front.
 *
 * @param toText - Makes a text part of the wire.
 */
export function markFirstText(
  parts: readonly JsonObject[],
  isError: boolean,
  toText: (text: string) => JsonObject,
): readonly JsonObject[] {
  const [first, ...rest] = parts;
  const text = first?.['text'];
  if (typeof text === 'string') return [{ ...first, text: markToolText(text, isError) }, ...rest];
  return isError ? [toText(markToolText('', true)), ...parts] : parts;
}

/** Logs that the failure of a tool is in its text. */
export function noteToolError({ parts, isError }: ToolResultItem, path: string, losses: LossLog): void {
  if (isError !== true) return;
  losses.add('relocated', `${path}/isError`, 'info', 'the failure is marked in the text');
  const [first, second] = parts;
  if (first?.kind === 'text' && first.text === '' && second !== undefined) {
    losses.add('approximated', `${path}/parts`, 'info', 'an empty text before other parts is only the mark');
  }
}
