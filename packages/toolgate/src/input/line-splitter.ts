/** One line of a byte stream. */
export interface Line {
  /** 1-based. */
  readonly number: number;
  /** Without its line break; `undefined` when it was longer than the limit, and then nothing of it was kept. */
  readonly bytes: Uint8Array | undefined;
}

/** Cuts a byte stream into lines, holding at most one unfinished line. */
export interface LineSplitter {
  /** The lines that end in this chunk. They may share its memory. */
  push(chunk: Uint8Array): readonly Line[];
  /** The last line, where the stream did not end with a line break. */
  end(): readonly Line[];
}

const LF = 0x0a;
const CR = 0x0d;
const FIRST_ROOM = 4_096;

/** @param maxBytes - Longer lines are dropped as they come and reported without content. */
export function createLineSplitter(maxBytes: number): LineSplitter {
  let number = 0;
  // The unfinished line: copied, so that it does not keep its chunks alive, into room that doubles, so that the number
  // of chunks does not matter.
  let room = new Uint8Array(0);
  let held = 0;

  const keep = (piece: Uint8Array): void => {
    const needed = held + piece.length;
    // One byte more for a carriage return that does not count. What is beyond is counted, not kept.
    if (needed <= maxBytes + 1) {
      if (needed > room.length) {
        const larger = new Uint8Array(Math.max(needed, 2 * room.length, FIRST_ROOM));
        larger.set(room.subarray(0, held));
        room = larger;
      }
      room.set(piece, held);
    } else room = new Uint8Array(0);
    held = needed;
  };
  const finish = (piece: Uint8Array): Line => {
    number += 1;
    let whole: Uint8Array | undefined = piece;
    if (held > 0) {
      keep(piece);
      // The line keeps this room; the next one starts with its own.
      whole = held <= maxBytes + 1 ? room.subarray(0, held) : undefined;
      room = new Uint8Array(0);
      held = 0;
    }
    if (whole?.at(-1) === CR) whole = whole.subarray(0, -1);
    return { number, bytes: whole !== undefined && whole.length <= maxBytes ? whole : undefined };
  };

  return {
    push(chunk) {
      const lines: Line[] = [];
      let start = 0;
      for (let stop = chunk.indexOf(LF); stop >= 0; stop = chunk.indexOf(LF, start)) {
        lines.push(finish(chunk.subarray(start, stop)));
        start = stop + 1;
      }
      if (start < chunk.length) keep(chunk.subarray(start));
      return lines;
    },
    end: () => (held > 0 ? [finish(new Uint8Array(0))] : []),
  };
}
