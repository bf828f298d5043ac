/** What PostgreSQL cannot store, or a strict reader would refuse: NUL and noncharacters. */
const UNFIT = /[\0\p{Noncharacter_Code_Point}]/gu;

/** What nearly all texts are, and nothing has to be done about. */
const PLAIN = /^[ -~]*$/;

/** A text from outside that any database takes: faulty characters become U+FFFD, what is too long is cut. */
export function mendText(text: string, maxLength: number): string {
  if (text.length <= maxLength && PLAIN.test(text)) return text;
  return text.slice(0, maxLength).toWellFormed().replace(UNFIT, '\u{fffd}');
}
