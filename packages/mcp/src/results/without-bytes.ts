/** Base64 that is longer is taken for bytes, whatever it is of. */
const MIN_BYTES = 1_000;
/** Longest head of a `data:` address. */
const MAX_HEAD = 128;
const GONE = Symbol('gone');

/**
 * A structure of a server without the members and items that are bytes.
 *
 * @param given - Base64 in one line that the model gets in other ways.
 * @returns `value` is the very same where there are none; `undefined` where nothing is left, or where it is nested deeper
 * than anybody writes.
 */
export function withoutBytes(
  structure: unknown,
  given: ReadonlySet<string>,
): { readonly value: unknown; readonly weight: number } | undefined {
  if (structure === undefined) return undefined;
  let weight = 0;
  const keep = (value: unknown): unknown => {
    weight += 1;
    if (typeof value === 'string') {
      const bytes = value.startsWith('data:')
        ? value.slice(value.slice(0, MAX_HEAD).indexOf(',') + 1)
        : value;
      if (isBase64(bytes) || (given.size > 0 && given.has(inOneLine(bytes)))) return GONE;
      weight += value.length;
      return value;
    }
    if (typeof value !== 'object' || value === null) return value;
    return Array.isArray(value) ? keepItems(value) : keepMembers(value);
  };
  const keepItems = (items: readonly unknown[]): unknown => {
    const kept = items.map(keep);
    if (kept.every((item, at) => item === items[at])) return items;
    const left = kept.filter((item) => item !== GONE);
    return left.length === 0 ? GONE : left;
  };
  const keepMembers = (object: object): unknown => {
    const entries = Object.entries(object);
    const kept = entries.map(([name, value]) => [name, keep(value)] as const);
    if (kept.every(([, value], at) => value === entries[at]?.[1])) return object;
    const left = kept.filter(([, value]) => value !== GONE);
    return left.length === 0 ? GONE : Object.fromEntries(left);
  };
  try {
    const value = keep(structure);
    return value === GONE ? undefined : { value, weight };
  } catch (error) {
    // What came as JSON can be looked through, but for the depth of the stack.
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
}

/** A few letters again and again are no bytes, such as a sequence of bases or a number in digits, but one alone are zeros. */
const FEW = 32;

/** How long the lines are into which libraries break base64 (RFC 2045, RFC 7468), with an end of one character or two. */
const LINE = { least: 60, most: 80 };

/** By hand: a pattern for so long a text needs the stack of the whole process. */
function isBase64(given: string): boolean {
  if (given.length < MIN_BYTES) return false;
  const line = given.slice(0, LINE.most + 1).indexOf('\n');
  const text = line < LINE.least ? given : inOneLine(given);
  const letters = new Set<number>();
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isLetter(code)) letters.add(code);
    else if (code !== EQUALS || at < text.length - 2) return false;
  }
  return letters.size === 1 || letters.size > FEW;
}

const EQUALS = 0x3d;

/** Base64 without the ends of lines that it may be broken by. */
export function inOneLine(text: string): string {
  return /\s/.test(text) ? text.replace(/\s+/g, '') : text;
}

function isLetter(code: number): boolean {
  // a-z and A-Z, then 0-9 with the slash before it, and the plus.
  const lower = code | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || (code >= 0x2f && code <= 0x39) || code === 0x2b;
}
