/** Words, in which letters of two alphabets can stand for one another. */
const WORDS = /[\p{L}\p{M}\p{N}_]+/gu;
const UNSEEN = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const OTHER_SCRIPTS = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/gu;
const NOT_ASCII = /[^\n\t\x20-\x7e]/gu;

/**
 * Foreign text for somebody who has to judge it. Besides what moves a terminal, everything is an escape that is not
 * seen or taken for something else: spaces that are none, and within a word letters of another alphabet or letters that
 * are another way to write plain ones. Line breaks and tabs stay.
 */
export function revealText(text: string): string {
  return text
    .toWellFormed()
    .replace(WORDS, revealWord)
    .replace(UNSEEN, (character) => (' \n\t'.includes(character) ? character : escaped(character)));
}

/** The same with everything but plain ASCII escaped, for a text that reads like the one it replaces. */
export function revealAll(text: string): string {
  return text.toWellFormed().replace(NOT_ASCII, escaped);
}

/** Whether two texts may look alike although they are not the same: as long, and different only beyond ASCII. */
export function mayLookAlike(left: string, right: string): boolean {
  if (left.length !== right.length || left === right) return false;
  for (let index = 0; index < left.length; index += 1) {
    const [one, other] = [left.charCodeAt(index), right.charCodeAt(index)];
    if (one !== other && one < 0x80 && other < 0x80) return false;
  }
  return true;
}

function revealWord(word: string): string {
  if (/^[\x20-\x7e]*$/u.test(word)) return word;
  if (/^[\x20-\x7e]*$/u.test(word.normalize('NFKC'))) return word.replace(NOT_ASCII, escaped);
  return /[A-Za-z]/u.test(word) ? word.replace(OTHER_SCRIPTS, escaped) : word;
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
