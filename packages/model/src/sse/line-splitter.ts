/** Cuts text that arrives in pieces into lines. */
export interface LineSplitter {
  /**
   * Gives each complete line to `take`, without its end, until `take` answers false.
   *
   * @returns False when `take` stopped it or a line is over the bound.
   */
  push(text: string, take: (line: string) => boolean): boolean;
  /** The last line, which nothing ended; `''` when there is none. */
  end(): string;
}

const LINE_END = /[\r\n]/g;

/** Makes a splitter for LF, CRLF and CR, each possibly cut in two. */
export function createLineSplitter(maxLength: number): LineSplitter {
  let open = '';
  let afterReturn = false;

  return {
    push(text, take) {
      let start = 0;
      if (afterReturn && text !== '') {
        afterReturn = false;
        if (text.startsWith('\n')) start = 1;
      }
      LINE_END.lastIndex = start;
      for (let found = LINE_END.exec(text); found !== null; found = LINE_END.exec(text)) {
        const line = open + text.slice(start, found.index);
        open = '';
        if (line.length > maxLength || !take(line)) return false;
        start = found.index + 1;
        if (found[0] === '\r') {
          if (start === text.length) afterReturn = true;
          else if (text[start] === '\n') start += 1;
        }
        LINE_END.lastIndex = start;
      }
      open += text.slice(start);
      return open.length <= maxLength;
    },
    end: () => open,
  };
}
