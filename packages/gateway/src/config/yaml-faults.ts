/** What mostly lies behind a fault of YAML, by the code of the library; its own sentences may quote the text, which may be a secret. */
const WORDS: Readonly<Record<string, string>> = {
  BAD_INDENT: 'this line is indented differently than the lines that it belongs to',
  BLOCK_AS_IMPLICIT_KEY:
    'this line, or the one before it, is indented wrongly, or a value with a colon has no quotes',
  BLOCK_IN_FLOW: 'a list with dashes or a block has no place between brackets',
  DUPLICATE_KEY: 'this member stands in the same object already; the dash of a new item may be missing',
  MISSING_CHAR: 'before this place a colon, a quote or a bracket is missing, or a line is indented wrongly',
  MULTILINE_IMPLICIT_KEY: 'a colon is missing behind a name, or a line is indented wrongly',
  MULTIPLE_DOCS: 'a configuration is one document; take the line of dashes out',
  TAB_AS_INDENT: 'lines are indented with blanks and never with tabs',
  TAG_RESOLVE_FAILED: 'tags of your own are not read',
  UNEXPECTED_TOKEN: `between brackets, a value such as $\{env:NAME} stands in quotes`,
};

/** Says why a text is no YAML, without any of it. */
export function yamlFault(code: string): string {
  const words = Object.hasOwn(WORDS, code) ? WORDS[code] : undefined;
  return words === undefined ? `it is not YAML (${code})` : `it is not YAML (${code}): ${words}`;
}
