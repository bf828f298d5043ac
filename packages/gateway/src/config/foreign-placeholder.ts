/** The whole of a value, perhaps behind the word of a header. Names of variables are in capitals by custom. */
const FOREIGN =
  /^(?:Bearer +)?(?:\$[A-Z_][A-Z0-9_]*|os\.environ\/.*|env[.:][A-Z_][A-Z0-9_]*|\{env:[A-Z_][A-Z0-9_]*\})$/;

/**
 * Whether a value names a variable in the way of another program: `$NAME`, `os.environ/NAME`, `env.NAME`, `{env:NAME}`. Taken
 * as it is written, that would be a secret that whoever knows the file can guess. A value that only begins so is none.
 */
export function isForeignPlaceholder(text: string): boolean {
  return FOREIGN.test(text);
}
