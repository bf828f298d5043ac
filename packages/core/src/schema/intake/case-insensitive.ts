/** What is copied as it is: an escape with what belongs to it, and the name of a group. */
const UNIT =
  /\\(?:[pP]\{\w{1,40}\}|k<\w{1,64}>|c[a-zA-Z]|x[\da-fA-F]{2}|u[\da-fA-F]{4}|u\{[\da-fA-F]{1,6}\}|[\s\S])|\(\?P?<\w{1,64}>|[\s\S]/uy;
/** Escapes that stand for many characters, and begin no range. */
const CLASS_ESCAPE = /^\\[dDpPsSwW]/;
const LETTER = /^[a-zA-Z]$/;
/** The letters of one case, as code points, and how far the others are from them. */
const CASES = [
  { first: 0x61, last: 0x7a, away: -0x20 },
  { first: 0x41, last: 0x5a, away: 0x20 },
] as const;

/**
 * A pattern without its leading `(?i)`, which Python, Rust, Go and .NET know and ECMAScript has no place for: each letter of ASCII
 * stands for both of its cases.
 *
 * @returns The pattern itself where it has no such beginning, or a range with an end of which nobody knows what it is.
 */
export function withoutCaseFlag(source: string): string {
  if (!source.startsWith('(?i)')) return source;
  let written = '';
  let inClass = false;
  for (let at = '(?i)'.length; at < source.length; ) {
    const whole = unitAt(source, at);
    const unit = inClass && whole.startsWith('(') ? '(' : whole;
    at += unit.length;
    if (!inClass && unit === '[') {
      // What denies a class is none of its characters.
      const opening = source[at] === '^' ? '[^' : '[';
      at += opening.length - 1;
      written += opening;
      inClass = true;
    } else if (inClass && startsRange(unit, source, at)) {
      const end = unitAt(source, at + 1);
      if (unit.startsWith('\\') || end.startsWith('\\')) return source;
      at += 1 + end.length;
      written += `${unit}-${end}${otherCases(unit, end)}`;
    } else if (LETTER.test(unit)) written += inClass ? bothCases(unit) : `[${bothCases(unit)}]`;
    else {
      written += unit;
      if (unit === ']') inClass = false;
    }
  }
  return written;
}

function startsRange(unit: string, source: string, next: number): boolean {
  return (
    unit !== ']' && source[next] === '-' && (source[next + 1] ?? ']') !== ']' && !CLASS_ESCAPE.test(unit)
  );
}

/** The letters of a range in their other case. */
function otherCases(start: string, end: string): string {
  const from = start.codePointAt(0) ?? 0;
  const to = end.codePointAt(0) ?? 0;
  return CASES.map(({ first, last, away }) => {
    const low = Math.max(from, first);
    const high = Math.min(to, last);
    return low > high ? '' : `${String.fromCharCode(low + away)}-${String.fromCharCode(high + away)}`;
  }).join('');
}

function bothCases(letter: string): string {
  return letter.toLowerCase() + letter.toUpperCase();
}

function unitAt(source: string, at: number): string {
  UNIT.lastIndex = at;
  return UNIT.exec(source)?.[0] ?? source.charAt(at);
}
