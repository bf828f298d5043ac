/** The end of a line: it may be escaped, and the next line indented. */
const LINE_END = /(?:\r?\n|(?:\\{1,8}r)?\\{1,8}n)[ \t]{0,32}/g;
/** Letters that the first line of a block has at least, and each one behind it. */
const FIRST_LINE = 8;
const NEXT_LINE = 2;

/**
 * A text whose blocks of base64 are one line each where that shows more of what is looked for: programs break it after 64 or 76
 * characters. All other blocks stay as they are.
 *
 * @param pattern - With the flag `g`.
 */
export function joinLines(text: string, pattern: RegExp): string {
  const count = (block: string): number => block.match(pattern)?.length ?? 0;
  let joined = '';
  let done = 0;
  for (const { start, end, line } of blocksOf(text)) {
    const isMore = count(line) > count(text.slice(start, end));
    joined += text.slice(done, start) + (isMore ? line : text.slice(start, end));
    done = end;
  }
  return done === 0 ? text : joined + text.slice(done);
}

interface Block {
  readonly start: number;
  readonly end: number;
  /** All its lines as one. */
  readonly line: string;
}

/** Blocks of standard base64 in several lines. By hand: a pattern for so long a text needs the stack of the whole process. */
function* blocksOf(text: string): Iterable<Block> {
  let block: { start: number; end: number; lines: string[] } | undefined;
  let seen = 0;
  for (const { 0: whole, index } of text.matchAll(LINE_END)) {
    const next = index + whole.length;
    if (block?.end !== index) {
      if (block !== undefined) yield { ...block, line: block.lines.join('') };
      const start = startOfLetters(text, index, seen);
      block =
        index - start < FIRST_LINE ? undefined : { start, end: index, lines: [text.slice(start, index)] };
    }
    seen = next;
    if (block === undefined) continue;
    const end = endOfLetters(text, next);
    if (end - next < NEXT_LINE) continue;
    block.end = endOfPadding(text, end);
    block.lines.push(text.slice(next, block.end));
  }
  if (block !== undefined) yield { ...block, line: block.lines.join('') };
}

function startOfLetters(text: string, end: number, floor: number): number {
  let at = end;
  while (at > floor && isLetter(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

function endOfLetters(text: string, start: number): number {
  let at = start;
  while (isLetter(text.charCodeAt(at))) at += 1;
  return at;
}

function endOfPadding(text: string, start: number): number {
  if (text[start] !== '=') return start;
  return text[start + 1] === '=' ? start + 2 : start + 1;
}

function isLetter(code: number): boolean {
  // a-z and A-Z, then 0-9 with the slash before it, and the plus.
  const lower = code | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || (code >= 0x2f && code <= 0x39) || code === 0x2b;
}
