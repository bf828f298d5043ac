/** The first own field of options that is none of those they take; what is misspelt would have no effect, in silence. */
export function unknownField(options: object, known: readonly string[]): string | undefined {
  return Object.keys(options).find((name) => !known.includes(name));
}
