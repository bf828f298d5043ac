/**
 * JSON with comments and trailing commas, as editors write it, as plain JSON. Every character that is taken out becomes
 * a space, so that a fault still has its line and column. A comment that does not end is left, for the reader to
 * refuse. Linear.
 */
export function stripComments(text: string): string {
  return blankTrailingCommas(blankComments(text));
}

function blankComments(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (let index = 0; index < text.length; ) {
    const character = text.charAt(index);
    if (character === '"') {
      index = endOfString(text, index);
      continue;
    }
    const end = character === '/' ? endOfComment(text, index) : index;
    // Nothing behind a comment that does not end can be right.
    if (end === undefined) break;
    if (end > index) {
      kept.push(text.slice(from, index), text.slice(index, end).replace(/[^\r\n]/gu, ' '));
      from = end;
    }
    index = Math.max(end, index + 1);
  }
  kept.push(text.slice(from));
  return kept.join('');
}

function blankTrailingCommas(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (let index = 0; index < text.length; ) {
    const character = text.charAt(index);
    if (character === '"') {
      index = endOfString(text, index);
      continue;
    }
    const comma = index;
    index += 1;
    if (character !== ',') continue;
    while (index < text.length && SPACES.includes(text.charAt(index))) index += 1;
    const next = text.charAt(index);
    if (next !== ']' && next !== '}') continue;
    kept.push(text.slice(from, comma), ' ');
    from = comma + 1;
  }
  kept.push(text.slice(from));
  return kept.join('');
}

const SPACES = ' \t\r\n';

function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === '"') return index + 1;
    if (character === '\\') index += 1;
  }
  return text.length;
}

/** Where the comment that begins here ends; `start` when none does; `undefined` when it does not end. */
function endOfComment(text: string, start: number): number | undefined {
  if (text.startsWith('/*', start)) {
    const end = text.indexOf('*/', start + 2);
    return end < 0 ? undefined : end + 2;
  }
  if (!text.startsWith('//', start)) return start;
  let end = start;
  while (end < text.length && text.charAt(end) !== '\n' && text.charAt(end) !== '\r') end += 1;
  return end;
}
