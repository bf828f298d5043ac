import { type OutputPart, type ToolOutput, toolOutput } from '@toolgate/core';
import { canonical, saysSame } from './canonical-text.ts';
import { contentPart } from './content-part.ts';
import type { RemoteResult } from './read-result.ts';
import { withoutBytes } from './without-bytes.ts';

/** UTF-16 units of text that a server may say about its own error. */
const MAX_TEXT = 16_384;
const MAX_PARTS = 16;
/** Media are not given at all. */
const NOTHING: ReadonlySet<string> = new Set();

/**
 * What a server says about a call that failed, for the model: its texts, then its structured content where no text says
 * the same, bounded together. Media and bytes of an error are left out.
 */
export function failureOutput({ content, structuredContent }: RemoteResult): ToolOutput {
  const texts = textsOf(content);
  const kept = withoutBytes(structuredContent ?? undefined, NOTHING);
  const same = kept === undefined ? undefined : canonical(kept.value);
  if (same !== undefined && !texts.some((text) => saysSame(text, same))) texts.push(same);
  let left = MAX_TEXT;
  const parts: OutputPart[] = [];
  for (const text of texts) {
    if (left <= 0 || parts.length === MAX_PARTS) {
      parts.push({ kind: 'text', text: '[more text left out]' });
      break;
    }
    parts.push({ kind: 'text', text: text.length <= left ? text : `${text.slice(0, left)} [cut]` });
    left -= text.length;
  }
  if (parts.length === 0) parts.push({ kind: 'text', text: 'The tool failed without saying why.' });
  return toolOutput({ parts });
}

/** One more than are given, so that it is seen that there were more. */
function textsOf(content: readonly unknown[]): string[] {
  const texts: string[] = [];
  for (const block of content) {
    const part = contentPart(block);
    // Also what a server told in a resource.
    if (part?.kind === 'text') texts.push(part.text);
    else if (part?.kind === 'file' && part.text !== undefined) texts.push(part.text);
    if (texts.length > MAX_PARTS) break;
  }
  return texts;
}
