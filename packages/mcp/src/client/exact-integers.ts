/** As many digits as the shortest integer has that a double would change. */
const MANY_DIGITS = /\d{16}/;
const INTEGER = /^-?\d{16,}$/;
/** More digits than any double has. */
const MOST_DIGITS = 309;
/** The members of a result that hold what a tool says as data. */
const STRUCTURED: ReadonlySet<string> = new Set(['structuredContent', 'toolResult']);

/**
 * Writes each integer of structured content that a double would change as a text of the same digits: ids of 64 bits
 * are what servers send so, and one that was rounded is the id of something else.
 *
 * @param text - JSON, which was read before.
 */
export function keepIntegers(text: string): string {
  if (!MANY_DIGITS.test(text)) return text;
  const pieces: string[] = [];
  let kept = 0;
  let depth = 0;
  /** The names that lead to where the scan is: of the member of the message, and of that of its result. */
  let outer = '';
  let inner = '';
  let base = 0;
  let at = 0;
  while (at < text.length) {
    const unit = text[at] ?? '';
    if (unit === '"') {
      const end = stringEnd(text, at);
      if (depth <= base + 2 && isName(text, end)) {
        const name = text.slice(at + 1, end - 1);
        if (depth === base + 1) {
          outer = name;
          inner = '';
        } else if (depth === base + 2) inner = name;
      }
      at = end;
    } else if (isNumeric(unit)) {
      let end = at + 1;
      while (isNumeric(text[end] ?? '')) end += 1;
      if (depth >= base + 2 && outer === 'result' && STRUCTURED.has(inner)) {
        const token = text.slice(at, end);
        if (isChanged(token)) {
          pieces.push(text.slice(kept, at), '"', token, '"');
          kept = end;
        }
      }
      at = end;
    } else {
      // Several messages in a list have one bracket more.
      if (unit === '[' && depth === 0) base = 1;
      if (unit === '{' || unit === '[') depth += 1;
      else if (unit === '}' || unit === ']') depth -= 1;
      at += 1;
    }
  }
  if (pieces.length === 0) return text;
  pieces.push(text.slice(kept));
  return pieces.join('');
}

/** Where the text begins to be something else after the string that begins here. */
function stringEnd(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    let before = quote - 1;
    while (text[before] === '\\') before -= 1;
    if ((quote - before) % 2 === 1) return quote + 1;
    at = quote + 1;
  }
}

function isName(text: string, end: number): boolean {
  let at = end;
  while (' \t\n\r'.includes(text[at] ?? 'x')) at += 1;
  return text[at] === ':';
}

function isNumeric(unit: string): boolean {
  return unit !== '' && '+-.0123456789Ee'.includes(unit);
}

function isChanged(token: string): boolean {
  if (!INTEGER.test(token) || token.length > MOST_DIGITS) return false;
  const double = Number(token);
  return String(double) !== token && BigInt(double) !== BigInt(token);
}
