/**
 * Characters that a reader does not see or that change how the others are read: controls, format characters (among them
 * those of direction), tags, variation selectors, private ones, line and paragraph separators, and
 * letters that are drawn as nothing. Line breaks and tabs are plain text.
 */
const HIDDEN = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

const ZERO_WIDTH_JOINERS: ReadonlySet<string> = new Set(['\u200c', '\u200d']);
/** Selects how an emoji is drawn. */
const EMOJI_STYLE = '\ufe0f';
const PICTOGRAPH = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|[\ufe0f0-9#*]/u;
/** Scripts whose writing needs joiners and their opposite. */
const JOINING =
  /[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Oriya}\p{Script=Sinhala}\p{Script=Tamil}\p{Script=Telugu}]/u;

/**
 * The first hidden characters of a text, as `U+200B` and so on, and how many there are. Joiners between letters of
 * scripts that need them, and the parts of an emoji, are not hidden: they are seen by what they do.
 */
export function hiddenCharacters(text: string): { readonly count: number; readonly shown: string } {
  let count = 0;
  const shown: string[] = [];
  for (const match of text.matchAll(HIDDEN)) {
    const [character] = match;
    if (isSeen(character, text, match.index)) continue;
    count += 1;
    if (shown.length < MAX_SHOWN) shown.push(codePoint(character));
  }
  return { count, shown: shown.join(' ') };
}

const MAX_SHOWN = 5;

function isSeen(character: string, text: string, at: number): boolean {
  if (!ZERO_WIDTH_JOINERS.has(character) && character !== EMOJI_STYLE) return false;
  const before = characterBefore(text, at);
  const after = text.codePointAt(at + character.length);
  if (character === EMOJI_STYLE) return PICTOGRAPH.test(before);
  if (after === undefined) return false;
  const next = String.fromCodePoint(after);
  if (character === '\u200d' && PICTOGRAPH.test(before) && PICTOGRAPH.test(next)) return true;
  return JOINING.test(before) && JOINING.test(next);
}

function characterBefore(text: string, at: number): string {
  const unit = text.charCodeAt(at - 1);
  const start = unit >= 0xdc00 && unit <= 0xdfff ? at - 2 : at - 1;
  return start < 0 ? '' : text.slice(start, at);
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
