/** Follows the brackets of a JSON text that arrives in pieces. */
export interface JsonBalance {
  push(text: string): void;
  /** Whether the pieces so far look like one whole array or object, with nothing but white space behind it. */
  readonly complete: boolean;
}

const QUOTE = 34;
const BACKSLASH = 92;
const OPENERS = new Set([123, 91]);
const CLOSERS = new Set([125, 93]);

/** Makes a follower; linear in the text, whatever the pieces are. It judges shape, not validity. */
export function createJsonBalance(): JsonBalance {
  let depth = 0;
  let inString = false;
  let escaped = false;
  let complete = false;

  const take = (code: number): void => {
    if (escaped) escaped = false;
    else if (inString) {
      if (code === BACKSLASH) escaped = true;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) {
      inString = true;
      complete = false;
    } else if (OPENERS.has(code)) {
      depth += 1;
      complete = false;
    } else if (CLOSERS.has(code)) {
      depth -= 1;
      complete = depth === 0;
    } else if (code > 32) complete = false;
  };

  return {
    push(text) {
      for (let at = 0; at < text.length; at += 1) take(text.charCodeAt(at));
    },
    get complete() {
      return complete;
    },
  };
}
