/** Fields that are no data, which a client may be told. */
const QUIET: ReadonlySet<string> = new Set(['', 'event', 'id', 'retry']);

/** Ends of lines for readers that split text where its language does, and what others cut off before they look at a line. */
const ENDS = '\0\v\f\u001c\u001d\u001e\u0085\u2028\u2029\uFEFF';

/** Names of events, and most comments. */
const PLAIN = /^[\w .-]*$/;

/**
 * Whether a line that is no data may be data for readers less exact than ours: many look for `data:` anywhere in a line,
 * cut blanks off before, or know more ends of lines.
 *
 * @param name - The name of its field; empty for a comment.
 */
export function isStray(name: string, value: string): boolean {
  if (PLAIN.test(value)) return !QUIET.has(name);
  if (!QUIET.has(name) || value.includes('{') || /data\s*:/i.test(value)) return true;
  for (const character of value) if (ENDS.includes(character)) return true;
  return false;
}
