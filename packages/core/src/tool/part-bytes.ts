import { utf8Bytes } from '../internal/utf8-bytes.ts';
import type { OutputPart } from './tool-output.ts';

/**
 * Bytes of a part as a budget counts them: UTF-8 of its text or JSON, characters of its base64. Labels and addresses
 * of files and links count as text.
 */
export function partBytes(part: OutputPart): number {
  switch (part.kind) {
    case 'text':
      return utf8Bytes(part.text);
    case 'json':
      return utf8Bytes(JSON.stringify(part.value));
    case 'image':
    case 'audio':
      return part.data.length;
    case 'file':
      return (part.data?.length ?? 0) + bytesOf(part.text, part.name, part.uri);
    case 'resource-link':
      return bytesOf(part.uri, part.name, part.description);
  }
}

function bytesOf(...texts: readonly (string | undefined)[]): number {
  let bytes = 0;
  for (const text of texts) if (text !== undefined) bytes += utf8Bytes(text);
  return bytes;
}
