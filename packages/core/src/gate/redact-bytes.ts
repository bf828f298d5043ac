import { fromUtf16, toUtf16, utf16Order } from './utf16-binary.ts';

/** What is no text says so in so much of its base64; a multiple of 4. */
const HEAD = 4096;
/** As many as an engine takes as arguments of one call. */
const PIECE = 0x8000;

/**
 * Bytes in base64 without what a redactor replaces, where they are a text: in UTF-8 or UTF-16, whatever type they bear, or called a
 * text, in a charset in which ASCII is itself.
 *
 * @param base64 - Standard base64 with padding.
 * @returns `base64` itself where they are no text, or nothing was replaced.
 */
export function redactBytes(base64: string, mediaType: string, redact: (text: string) => string): string {
  const isText = /^text\//i.test(mediaType);
  const head = atob(base64.slice(0, HEAD));
  const order = utf16Order(head, mediaType);
  if (order !== undefined) {
    const bytes = atob(base64);
    const units = fromUtf16(bytes, order);
    const redacted = redact(units);
    // Half a unit at the end is no text, and stays.
    return redacted === units ? base64 : btoa(toUtf16(redacted, order) + bytes.slice(units.length * 2));
  }
  if (!isText && readUtf8(head, true) === undefined) return base64;
  const binary = atob(base64);
  const text = readUtf8(binary, false);
  if (text !== undefined) {
    const redacted = redact(text);
    return redacted === text ? base64 : btoa(toBinary(new TextEncoder().encode(redacted)));
  }
  if (!isText) return base64;
  const redacted = redact(binary);
  return redacted === binary ? base64 : btoa(redacted.replace(/[^\0-\xff]/g, '?'));
}

/** The text of a binary string, with its byte order mark. @param isHead - Whether a last character may be cut. */
function readUtf8(binary: string, isHead: boolean): string | undefined {
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isHead });
  } catch {
    return undefined;
  }
}

function toBinary(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += PIECE) {
    binary += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  }
  return binary;
}
