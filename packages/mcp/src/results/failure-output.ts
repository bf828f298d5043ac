import type { CallToolResult } from '@modelcontextprotocol/client';
import { type OutputPart, type ToolOutput, toolOutput } from '@toolgate/core';

/** UTF-16 units of text that a server may say about its own error. */
const MAX_TEXT = 16_384;
const MAX_PARTS = 16;

/**
 * What a server says about a call that failed, for the model: its texts, bounded. Media and structured content of an
 * error are left out.
 */
export function failureOutput({ content }: CallToolResult): ToolOutput {
  let left = MAX_TEXT;
  const parts: OutputPart[] = [];
  for (const block of content) {
    if (block.type !== 'text') continue;
    if (left <= 0 || parts.length === MAX_PARTS) {
      parts.push({ kind: 'text', text: '[more text left out]' });
      break;
    }
    const { text } = block;
    parts.push({ kind: 'text', text: text.length <= left ? text : `${text.slice(0, left)} [cut]` });
    left -= text.length;
  }
  if (parts.length === 0) parts.push({ kind: 'text', text: 'The tool failed without saying why.' });
  return toolOutput({ parts });
}
