const LF = 10;
const CR = 13;

/** Cuts a stream of server-sent events into whole events, as bytes. */
export interface FrameSplitter {
  /** The events that are whole now, each with the blank line that ends it. Nothing is copied that came in one piece. */
  push(chunk: Uint8Array): readonly Uint8Array[];
  /** What no blank line ended. */
  end(): Uint8Array | undefined;
}

/**
 * Makes a splitter; LF, CRLF and CR end lines.
 *
 * @param maxBytes - A longer event is handed on in pieces, for the reader to refuse.
 */
export function createFrameSplitter(maxBytes: number): FrameSplitter {
  let kept: Uint8Array[] = [];
  let keptBytes = 0;
  /** Whether nothing stands on the current line yet. */
  let lineEmpty = true;
  /** The last byte was a CR: an LF now belongs to it. */
  let afterCr = false;
  /** The event is over, but for the LF that may follow its last CR. */
  let dangling = false;

  const take = (last: Uint8Array): Uint8Array => {
    if (kept.length === 0) return last;
    const whole = Buffer.concat([...kept, last]);
    kept = [];
    keptBytes = 0;
    return whole;
  };

  return Object.freeze({
    push(chunk: Uint8Array) {
      const frames: Uint8Array[] = [];
      let start = 0;
      let at = 0;
      const cut = (end: number): void => {
        // Mostly a chunk is one event: no other view is made of it then.
        frames.push(take(start === 0 && end === chunk.length ? chunk : chunk.subarray(start, end)));
        start = end;
      };
      if (dangling && chunk.length > 0) {
        dangling = false;
        if (chunk[0] === LF) at = 1;
        cut(at);
        lineEmpty = true;
        afterCr = false;
      }
      const plain = !afterCr && chunk.indexOf(CR, at) < 0;
      while (at < chunk.length) {
        if (plain) {
          const found = chunk.indexOf(LF, at);
          if (found < 0) {
            lineEmpty = false;
            break;
          }
          const empty = found === at && lineEmpty;
          at = found + 1;
          lineEmpty = true;
          if (empty) cut(at);
          continue;
        }
        const byte = chunk[at];
        at += 1;
        if (byte === LF && afterCr) {
          afterCr = false;
          continue;
        }
        afterCr = byte === CR;
        if (byte !== LF && byte !== CR) {
          lineEmpty = false;
          continue;
        }
        const empty = lineEmpty;
        lineEmpty = true;
        if (!empty) continue;
        if (byte === CR && at === chunk.length) dangling = true;
        else {
          if (byte === CR && chunk[at] === LF) at += 1;
          afterCr = false;
          cut(at);
        }
      }
      if (start < chunk.length) {
        kept.push(start === 0 ? chunk : chunk.subarray(start));
        keptBytes += chunk.length - start;
        if (keptBytes > maxBytes) frames.push(take(new Uint8Array(0)));
      }
      return frames;
    },
    end() {
      return kept.length === 0 ? undefined : take(new Uint8Array(0));
    },
  });
}
