import { definesUnseenLink } from './unseen-link.ts';

/** An element with a style under which nothing of it is seen. */
const UNSEEN =
  /<[a-z][^<>]{0,400}?\bstyle\s{0,4}=[^<>]{0,400}?\b(?:display\s{0,4}:\s{0,4}none|visibility\s{0,4}:\s{0,4}hidden|(?:font-size|opacity)\s{0,4}:\s{0,4}0(?![.\d]))/iu;

/** Whether a text holds a comment, an element or the title of a link that a reader of formatted text does not see. */
export function hasHiddenMarkup(text: string): boolean {
  if (/\bstyle\s{0,4}=/iu.test(text) && UNSEEN.test(text)) return true;
  return text.includes('<!--') || definesUnseenLink(text);
}
