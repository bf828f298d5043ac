const NAMED = /\[:([a-z]{4,6}):\]/y;

/** Classes of POSIX by name, as they stand within brackets. */
const CLASSES: ReadonlyMap<string, string> = new Map([
  ['alpha', 'a-zA-Z'],
  ['digit', '0-9'],
  ['alnum', '0-9a-zA-Z'],
  ['upper', 'A-Z'],
  ['lower', 'a-z'],
  ['xdigit', '0-9a-fA-F'],
  ['word', '\\w'],
  ['space', '\\s'],
  ['blank', ' \\t'],
  ['cntrl', '\\x00-\\x1f\\x7f'],
  ['graph', '\\x21-\\x7e'],
  ['print', '\\x20-\\x7e'],
  ['punct', '\\x21-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e'],
]);

/** A class by name at a place within brackets: how long it is, and how ECMAScript writes it. */
export function posixClassAt(source: string, at: number): readonly [number, string] | undefined {
  NAMED.lastIndex = at;
  const [whole, name = ''] = NAMED.exec(source) ?? [];
  const written = CLASSES.get(name);
  return whole === undefined || written === undefined ? undefined : [whole.length, written];
}
