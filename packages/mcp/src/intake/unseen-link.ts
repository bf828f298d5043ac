/** What stands in brackets. No bracket is passed over, so that a search stays linear. */
const LABEL = /\[((?:[^[\]\\]|\\.){1,999})\]/gsu;
/** What may stand before a block in its line: the signs of quotations and of lists. */
const BEFORE = /(?:^|\n)(?:[ \t]{0,9}(?:>|[-*+]|\d{1,9}[.)])){0,9}[ \t]{0,9}$/u;
/** So far back at most is looked for the beginning of a line. */
const MAX_BEFORE = 99;
/** A definition from its colon to where its title begins, if it has one. */
const ADDRESS =
  /:[ \t]{0,99}(?:\n[ \t]{0,99})?(<[^<>\n]{0,999}>|[^\s<]\S{0,999})([ \t]{0,99}(?:\n[ \t]{0,99})?)/uy;
const NOWHERE: ReadonlySet<string> = new Set(['#', '<>', '<#>']);
/** Names of links that are comments also where what follows is no title. */
const COMMENT: ReadonlySet<string> = new Set(['//', 'comment']);
const CLOSING: ReadonlyMap<string | undefined, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ['(', ')'],
]);

/**
 * Whether a text defines a link that leads nowhere, or one with a title that no other place of the text leads to: of
 * neither is anything seen (CommonMark, Link reference definitions).
 */
export function definesUnseenLink(given: string): boolean {
  if (!given.includes(']:')) return false;
  const text = given.replaceAll(/\r\n?/gu, '\n');
  const used = new Set<string>();
  const defined = new Set<string>();
  const titled: string[] = [];
  for (const { 0: whole, 1: label = '', index } of text.matchAll(LABEL)) {
    const name = label.trim().replaceAll(/\s+/gu, ' ').toLowerCase();
    const isFirst = BEFORE.test(text.slice(Math.max(0, index - MAX_BEFORE), index));
    const link = isFirst ? linkAt(text, index + whole.length) : undefined;
    if (link === undefined) {
      used.add(name);
      continue;
    }
    if (NOWHERE.has(link.address) && (link.isWhole || COMMENT.has(name))) return true;
    // Only the first of one name counts.
    if (link.isTitled && defined.has(name)) return true;
    if (link.isTitled) titled.push(name);
    if (link.isWhole) defined.add(name);
  }
  return titled.some((name) => !used.has(name));
}

interface DefinedLink {
  readonly address: string;
  readonly isTitled: boolean;
  /** Whether nothing else stands in its line, which would make it a text like any other. */
  readonly isWhole: boolean;
}

function linkAt(text: string, colon: number): DefinedLink | undefined {
  ADDRESS.lastIndex = colon;
  const [, address, gap = ''] = ADDRESS.exec(text) ?? [];
  if (address === undefined) return undefined;
  const end = ADDRESS.lastIndex;
  const isTitled = gap !== '' && isTitle(text, end);
  return { address, isTitled, isWhole: isTitled || gap.includes('\n') || isLineEnd(text, end) };
}

/** Whether a title is there that is closed before a blank line and ends its line. */
function isTitle(text: string, start: number): boolean {
  const opening = text[start];
  const closing = CLOSING.get(opening);
  if (closing === undefined) return false;
  let line = '-';
  for (let at = start + 1; at < text.length; at += 1) {
    const unit = text[at];
    if (unit === closing) return isLineEnd(text, at + 1);
    if (unit === opening) return false;
    if (unit === '\n' && line === '') return false;
    if (unit === '\n') line = '';
    else if (unit !== ' ' && unit !== '\t') line = '-';
    if (unit === '\\') at += 1;
  }
  return false;
}

function isLineEnd(text: string, start: number): boolean {
  let at = start;
  while (text[at] === ' ' || text[at] === '\t') at += 1;
  return at >= text.length || text[at] === '\n';
}
