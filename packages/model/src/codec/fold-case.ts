/**
 * A name as readers know it that do not care for its case. Upper case comes first: the long s and the sign of Kelvin are
 * letters to Go as well.
 */
export function foldCase(name: string): string {
  return name.toUpperCase().toLowerCase();
}
