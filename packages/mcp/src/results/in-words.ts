/** A value of a server as a text; `undefined` for one that is nested deeper than anybody writes. */
export function inWords(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value);
  } catch (error) {
    // What came as JSON can be JSON again, but for the depth of the stack.
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
}
