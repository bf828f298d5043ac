/** Characters that a reason may have. */
const MAX_CHARACTERS = 500;

// Controls, format characters such as bidirectional marks, lone surrogates, private use, unassigned; line separators.
const UNSAFE = /[\p{C}\p{Zl}\p{Zp}]+/gu;

/**
 * The reason a reviewer gave, fit to be shown to a model: one line, without invisible characters, cut at a character
 * boundary with an ellipsis. Takes time proportional to what is kept, not to what was given.
 */
export function cleanReason(reason: string): string {
  // Twice the bound leaves room for what cleaning removes and for surrogate pairs; a cut pair is removed as unsafe.
  const head = reason.slice(0, MAX_CHARACTERS * 4);
  const clean = head.replace(UNSAFE, ' ').replace(/\s+/g, ' ').trim();
  const characters = Array.from(clean);
  if (characters.length <= MAX_CHARACTERS && head.length === reason.length) return clean;
  return `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…`;
}
