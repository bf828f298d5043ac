const LITERAL = /^\/([\s\S]+)\/([a-z]*)$/;
/** Flags that say nothing of what matches, and the one of case. */
const FLAGS = /^[gui]*$/;

/**
 * A pattern without the slashes of a literal of JavaScript, PHP or Perl, where no text could match it with them: nothing stands
 * before the beginning of a text or behind its end. The flag `i` becomes a leading `(?i)`.
 *
 * @returns The pattern itself where it may be meant with its slashes, or has another flag.
 */
export function withoutDelimiters(source: string): string {
  if (!source.startsWith('/')) return source;
  const [, body = '', flags = ''] = LITERAL.exec(source) ?? [];
  const isAnchored = body.startsWith('^') || /(?:^|[^\\])(?:\\\\)*\$$/.test(body);
  if (!FLAGS.test(flags) || !isAnchored || hasChoice(body)) return source;
  return flags.includes('i') ? `(?i)${body}` : body;
}

/** Whether a pattern as a whole is one of several: one of them might match with a slash. */
function hasChoice(body: string): boolean {
  let depth = 0;
  let inClass = false;
  for (let at = 0; at < body.length; at += 1) {
    const character = body[at];
    if (character === '\\') at += 1;
    else if (inClass) inClass = character !== ']';
    else if (character === '[') inClass = true;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    else if (character === '|' && depth === 0) return true;
  }
  return false;
}
