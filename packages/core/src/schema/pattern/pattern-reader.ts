/** A place in a pattern's text, and the flag under which it is read. */
export interface PatternReader {
  /** Code points under `u`, UTF-16 units without. */
  readonly symbols: readonly string[];
  readonly unicode: boolean;
  next: number;
}

/** A pattern form that is not analysed. Thrown and caught inside this folder only. */
export class UnreadPattern extends Error {
  override readonly name = 'UnreadPattern';
}

/** A reader at the start of `source`. */
export function patternReader(source: string, unicode: boolean): PatternReader {
  return { symbols: unicode ? Array.from(source) : source.split(''), unicode, next: 0 };
}

/** Whether the text goes on with `text`, of ASCII characters. */
export function startsWith(reader: PatternReader, text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (reader.symbols[reader.next + index] !== text[index]) return false;
  }
  return true;
}

/** Passes `text` when the reader stands before it. */
export function take(reader: PatternReader, text: string): boolean {
  if (!startsWith(reader, text)) return false;
  reader.next += text.length;
  return true;
}

/** Passes and returns one symbol. */
export function takeSymbol(reader: PatternReader): string {
  const symbol = reader.symbols[reader.next];
  if (symbol === undefined) throw new UnreadPattern('it ends too early');
  reader.next += 1;
  return symbol;
}

/** Passes and returns up to `max` symbols that `isWanted` accepts. */
export function takeWhile(
  reader: PatternReader,
  isWanted: (symbol: string) => boolean,
  max?: number,
): string {
  let taken = '';
  while (max === undefined || taken.length < max) {
    const symbol = reader.symbols[reader.next];
    if (symbol === undefined || !isWanted(symbol)) break;
    taken += symbol;
    reader.next += 1;
  }
  return taken;
}

/** Whether a symbol is one of `0-9`. */
export function isDigit(symbol: string): boolean {
  return symbol >= '0' && symbol <= '9' && symbol.length === 1;
}
