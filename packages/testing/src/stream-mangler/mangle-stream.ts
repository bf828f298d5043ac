/** What is done to the bytes of an event stream. Events count from 0; a place behind the end does nothing. */
export type StreamMangle =
  /** Pieces of this many bytes, cutting characters, lines and events apart. */
  | { readonly kind: 'split'; readonly pieceBytes: number }
  /** Only the first bytes. */
  | { readonly kind: 'cut'; readonly bytes: number }
  /** An event comes twice. */
  | { readonly kind: 'duplicate'; readonly event: number }
  /** An event changes places with the next one. */
  | { readonly kind: 'swap'; readonly event: number }
  /** An event does not come. */
  | { readonly kind: 'drop'; readonly event: number };

const LINE_FEED = 10;
const RETURN = 13;

/** The bytes of a server-sent event stream after something went wrong with them, in pieces. The argument stays as it is. */
export function mangleStream(bytes: Uint8Array, mangle: StreamMangle): readonly Uint8Array[] {
  switch (mangle.kind) {
    case 'split':
      return split(bytes, mangle.pieceBytes);
    case 'cut':
      return [bytes.slice(0, Math.max(0, mangle.bytes))];
    case 'duplicate':
      return splitEvents(bytes).flatMap((event, index) =>
        index === mangle.event ? [event, event] : [event],
      );
    case 'drop':
      return splitEvents(bytes).filter((_, index) => index !== mangle.event);
    case 'swap': {
      const events = [...splitEvents(bytes)];
      const [first, second] = events.slice(mangle.event, mangle.event + 2);
      if (first !== undefined && second !== undefined) events.splice(mangle.event, 2, second, first);
      return events;
    }
  }
}

/**
 * Every way of mangling a stream in one place: split into pieces of 1, 2, 3 and 7 bytes, cut after each event and in the
 * middle of it, and with each event doubled, dropped or swapped with the next one.
 */
export function streamMangles(bytes: Uint8Array): readonly StreamMangle[] {
  let end = 0;
  const mangles = splitEvents(bytes).flatMap((event, index): readonly StreamMangle[] => {
    const start = end;
    end += event.length;
    return [
      { kind: 'cut', bytes: start + Math.floor(event.length / 2) },
      { kind: 'cut', bytes: end },
      { kind: 'duplicate', event: index },
      { kind: 'drop', event: index },
      { kind: 'swap', event: index },
    ];
  });
  return [...[1, 2, 3, 7].map((pieceBytes) => ({ kind: 'split' as const, pieceBytes })), ...mangles];
}

function split(bytes: Uint8Array, pieceBytes: number): readonly Uint8Array[] {
  if (!Number.isSafeInteger(pieceBytes) || pieceBytes < 1)
    throw new RangeError('a piece has a whole number of bytes, from 1');
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) pieces.push(bytes.slice(at, at + pieceBytes));
  return pieces;
}

/** The events with the blank line that ends each; what follows the last blank line is one more. */
function splitEvents(bytes: Uint8Array): readonly Uint8Array[] {
  const events: Uint8Array[] = [];
  let start = 0;
  let emptyLine = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === RETURN && bytes[at + 1] === LINE_FEED) continue;
    if (byte !== LINE_FEED && byte !== RETURN) {
      emptyLine = false;
      continue;
    }
    if (emptyLine) {
      events.push(bytes.slice(start, at + 1));
      start = at + 1;
    }
    emptyLine = !emptyLine;
  }
  if (start < bytes.length) events.push(bytes.slice(start));
  return events;
}
