/** A well-formed text, and how many halves of surrogate pairs were replaced in it. */
export interface MendedText {
  readonly text: string;
  readonly count: number;
}

/** Replaces each half of a surrogate pair that stands alone by U+FFFD, which no text can lose on its way. */
export function mendText(given: string): MendedText {
  const text = given.toWellFormed();
  if (text === given) return { text, count: 0 };
  let count = 0;
  // Each half is one unit and so is what replaces it, so the units stay in their places.
  for (let index = 0; index < given.length; index++) {
    if (given.charCodeAt(index) !== text.charCodeAt(index)) count++;
  }
  return { text, count };
}
