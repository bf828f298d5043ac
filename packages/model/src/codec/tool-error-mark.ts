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
