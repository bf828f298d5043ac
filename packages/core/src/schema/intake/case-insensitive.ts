/** What is copied as it is: an escape with what belongs to it, and the name of a group. */
const UNIT =
  /\\(?:[pP]\{\w{1,40}\}|k<\w{1,64}>|x[\da-fA-F]{2}|u[\da-fA-F]{4}|[\s\S])|\(\?P?<\w{1,64}>|[\s\S]/uy;
const RANGE = /([a-z])-([a-z])|([A-Z])-([A-Z])/y;
const LETTER = /^[a-zA-Z]$/;

/**
 * A pattern without its leading `(?i)`, which Python, Rust, Go and .NET know and ECMAScript has no place for: each letter of ASCII
 * stands for both of its cases.
 *
 * @returns The pattern itself where it has no such beginning.
 */
export function withoutCaseFlag(source: string): string {
  if (!source.startsWith('(?i)')) return source;
  let written = '';
  let inClass = false;
  for (let at = '(?i)'.length; at < source.length; ) {
    const range = inClass ? matchAt(RANGE, source, at) : undefined;
    const unit = range ?? matchAt(UNIT, source, at) ?? source.charAt(at);
    at += unit.length;
    if (range !== undefined) written += range.toLowerCase() + range.toUpperCase();
    else if (LETTER.test(unit)) written += inClass ? bothCases(unit) : `[${bothCases(unit)}]`;
    else written += unit;
    if (unit === (inClass ? ']' : '[')) inClass = !inClass;
  }
  return written;
}

function bothCases(letter: string): string {
  return letter.toLowerCase() + letter.toUpperCase();
}

function matchAt(pattern: RegExp, source: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0];
}
