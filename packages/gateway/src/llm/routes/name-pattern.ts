/** Says whether a name fits. */
export type NameTest = (name: string) => boolean;

/**
 * Compiles an exact name, or one with `*` for any run of characters. Linear in the name, and free of regular
 * expressions.
 */
export function compileNamePattern(pattern: string): NameTest {
  const pieces = pattern.split('*');
  const [first = '', ...rest] = pieces;
  const last = rest.pop();
  if (last === undefined) return (name) => name === pattern;
  return (name) => {
    if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last))
      return false;
    const end = name.length - last.length;
    let at = first.length;
    for (const piece of rest) {
      const found = name.indexOf(piece, at);
      if (found < 0 || found + piece.length > end) return false;
      at = found + piece.length;
    }
    return true;
  };
}
