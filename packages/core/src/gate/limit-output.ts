import { utf8Bytes } from '../internal/utf8-bytes.ts';
import { isSingle, toolOutput } from '../tool/make-output.ts';
import { partBytes } from '../tool/part-bytes.ts';
import type { OutputPart, ToolOutput } from '../tool/tool-output.ts';
import { cutText, NOTICE_BYTES } from './cut-text.ts';

/** What of a result may go to a model. */
export interface OutputLimits {
  /** UTF-8 bytes of all texts, JSON values, names and addresses. */
  readonly textBytes: number;
  /** Characters of base64 of all images, audio and files. */
  readonly mediaBytes: number;
}

/** More parts than this are not given, whatever their size. */
const MAX_PARTS = 1_000;

/** Whether the whole of an output may be given. */
export function isWithin(output: ToolOutput, limits: OutputLimits): boolean {
  if (isSingle(output)) {
    // A character has at most 3 bytes for each of its units: most results need no counting.
    return output.text().length * 3 <= limits.textBytes || output.byteSize <= limits.textBytes;
  }
  if (output.parts.length > MAX_PARTS) return false;
  const sizes = measure(output.parts);
  if (sizes.text > limits.textBytes || sizes.media > limits.mediaBytes) return false;
  const { structured } = output;
  return structured === undefined || utf8Bytes(JSON.stringify(structured)) <= limits.textBytes;
}

/**
 * What of an output fits: texts are cut in the middle, the longest most; a JSON value that has to be cut becomes text;
 * images, audio and files stay whole or are replaced by their name and size. The structured value is left out.
 *
 * @param note - A last line for the model, such as where the whole result is kept.
 */
export function limitOutput(output: ToolOutput, limits: OutputLimits, note?: string): ToolOutput {
  const media = limitMedia(output.parts.slice(0, MAX_PARTS), limits.mediaBytes);
  const kept = limitCount(withSizes(output, media), limits.textBytes);
  const missing = output.parts.length - kept.length;
  const notes = [
    ...(missing === 0 ? [] : [`[${missing} more parts left out.]`]),
    ...(note === undefined ? [] : [note]),
  ];
  const noteBytes = notes.reduce((sum, text) => sum + utf8Bytes(text), 0);
  const texts = limitTexts(kept, Math.max(limits.textBytes - noteBytes, 0));
  return toolOutput({ parts: [...texts, ...notes.map((text): OutputPart => ({ kind: 'text', text }))] });
}

/** Media are taken in order while they fit; what does not fit is named. */
function limitMedia(parts: readonly OutputPart[], mediaBytes: number): readonly OutputPart[] {
  let left = mediaBytes;
  return parts.map((part) => {
    const bytes = mediaOf(part);
    if (bytes === 0) return part;
    if (bytes <= left) {
      left -= bytes;
      return part;
    }
    const kind = 'mediaType' in part ? `${part.kind} ${part.mediaType}` : part.kind;
    const name = 'name' in part && part.name !== undefined ? ` ${cutText(part.name, NOTICE_BYTES * 2)}` : '';
    return { kind: 'text', text: `[${kind}${name} of ${bytes} bytes left out]` };
  });
}

/** A part, and the bytes of its texts: what is cut may be long, and is counted once. */
interface SizedPart {
  readonly part: OutputPart;
  readonly bytes: number;
}

function withSizes(output: ToolOutput, parts: readonly OutputPart[]): readonly SizedPart[] {
  const [first] = parts;
  if (first?.kind === 'text' && isSingle(output)) return [{ part: first, bytes: output.byteSize }];
  return parts.map((part) => ({ part, bytes: partBytes(part) - mediaOf(part) }));
}

/** Where texts have to be cut, each may become a notice, so a small budget has room for few of them. */
function limitCount(parts: readonly SizedPart[], textBytes: number): readonly SizedPart[] {
  if (parts.reduce((sum, { bytes }) => sum + bytes, 0) <= textBytes) return parts;
  let room = Math.max(Math.ceil(textBytes / NOTICE_BYTES), 1);
  return parts.filter(({ part }) => {
    if (mediaOf(part) > 0) return true;
    room -= 1;
    return room >= 0;
  });
}

/** Shares the bytes evenly: what is shorter than an even share is kept whole and leaves the rest to the longer ones. */
function limitTexts(parts: readonly SizedPart[], textBytes: number): readonly OutputPart[] {
  const share = evenShare(
    parts.map(({ bytes }) => bytes),
    textBytes,
  );
  return parts.map((sized) => (sized.bytes <= share ? sized.part : cutPart(sized, share)));
}

/** The largest size such that all sizes, each cut to it, fit together. */
function evenShare(sizes: readonly number[], total: number): number {
  let left = total;
  let count = sizes.length;
  for (const size of sizes.toSorted((one, other) => one - other)) {
    if (size * count > left) return Math.floor(left / count);
    left -= size;
    count -= 1;
  }
  return Number.POSITIVE_INFINITY;
}

function cutPart({ part, bytes }: SizedPart, maxBytes: number): OutputPart {
  switch (part.kind) {
    case 'text':
      return { kind: 'text', text: cutText(part.text, maxBytes, bytes) };
    case 'json':
      return { kind: 'text', text: cutText(JSON.stringify(part.value), maxBytes, bytes) };
    case 'image':
    case 'audio':
      return part;
    case 'file':
      if (part.text !== undefined) return { kind: 'text', text: cutText(part.text, maxBytes) };
      return { kind: 'text', text: `[file ${part.mediaType} left out: its name and address are too long]` };
    case 'resource-link':
      return { kind: 'text', text: '[resource left out: its name and address are too long]' };
  }
}

function measure(parts: readonly OutputPart[]): { readonly text: number; readonly media: number } {
  let media = 0;
  let text = 0;
  for (const part of parts) {
    const own = mediaOf(part);
    media += own;
    text += partBytes(part) - own;
  }
  return { text, media };
}

function mediaOf(part: OutputPart): number {
  return 'data' in part ? (part.data?.length ?? 0) : 0;
}
