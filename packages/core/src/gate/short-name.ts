/** Characters of a foreign name that an event carries. */
const MAX_LENGTH = 128;

/** A name or id that a model made up, fit to be kept: bounded and well-formed. Whoever shows it escapes it. */
export function shortName(name: string): string {
  const short = name.length <= MAX_LENGTH ? name : `${name.slice(0, MAX_LENGTH - 1)}…`;
  return short.isWellFormed() ? short : short.toWellFormed();
}
