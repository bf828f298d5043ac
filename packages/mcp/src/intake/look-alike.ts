/** One tool as it is told from others. */
export interface NamedTool {
  readonly server: string;
  readonly tool: string;
}

/** Two tools that a model or a reviewer may take for each other. */
export interface LookAlike {
  readonly kind: 'same' | 'confusable' | 'near';
  readonly first: NamedTool;
  readonly second: NamedTool;
}

/** Letters that look like others, after compatibility folding and lower-casing (a small part of UTS 39). */
const CONFUSABLE: ReadonlyMap<string, string> = new Map([
  ...pairs('а', 'a'),
  ...pairs('е', 'e'),
  ...pairs('о', 'o'),
  ...pairs('р', 'p'),
  ...pairs('с', 'c'),
  ...pairs('у', 'y'),
  ...pairs('х', 'x'),
  ...pairs('іı', 'i'),
  ...pairs('ј', 'j'),
  ...pairs('ѕ', 's'),
  ...pairs('ԁ', 'd'),
  ...pairs('ԛ', 'q'),
  ...pairs('ԝ', 'w'),
  ...pairs('һ', 'h'),
  ...pairs('ο', 'o'),
  ...pairs('α', 'a'),
  ...pairs('ν', 'v'),
  ...pairs('ρ', 'p'),
  ...pairs('τ', 't'),
  ...pairs('ι', 'i'),
  ...pairs('κ', 'k'),
  ...pairs('0', 'o'),
  ...pairs('1|l', 'i'),
  ...pairs('5', 's'),
]);
/** Shorter names differ from many others by one character. */
const MIN_NEAR = 6;
const MAX_LENGTH = 64;
const MAX_FOUND = 100;

/**
 * Tools with names that look the same, and tools of different servers with the same name or with names that differ by
 * one character. Takes time linear in the number of tools; at most 100 pairs are given.
 */
export function lookAlikes(tools: readonly NamedTool[]): readonly LookAlike[] {
  const found: LookAlike[] = [];
  const seen = new Set<string>();
  const byKey = new Map<string, NamedTool[]>();
  for (const second of tools) {
    const folded = fold(second.tool);
    for (const key of keysOf(folded)) {
      const others = byKey.get(key) ?? [];
      for (const first of others) {
        if (found.length === MAX_FOUND) return Object.freeze(found);
        const kind = compare(first, second, folded);
        const pair = JSON.stringify([first.server, first.tool, second.server, second.tool]);
        if (kind === undefined || seen.has(pair)) continue;
        seen.add(pair);
        found.push(Object.freeze({ kind, first, second }));
      }
      // A few stand for all that have the key in common; a stranger cannot make the comparison quadratic.
      if (others.length < MAX_SHARED) byKey.set(key, [...others, second]);
    }
  }
  return Object.freeze(found);
}

const MAX_SHARED = 8;

function compare(first: NamedTool, second: NamedTool, folded: string): LookAlike['kind'] | undefined {
  const foreign = first.server !== second.server;
  if (first.tool === second.tool) return foreign ? 'same' : undefined;
  const other = fold(first.tool);
  if (other === folded) return 'confusable';
  if (!foreign) return undefined;
  return other.length >= MIN_NEAR && folded.length >= MIN_NEAR && isNear(other, folded) ? 'near' : undefined;
}

/** What a name looks like: compatibility forms, case, separators and look-alike letters made one. */
function fold(name: string): string {
  const lower = name.slice(0, MAX_LENGTH).normalize('NFKC').toLowerCase();
  let folded = '';
  for (const character of lower) {
    if (/[\p{L}\p{N}]/u.test(character)) folded += CONFUSABLE.get(character) ?? character;
  }
  return folded;
}

/** The name and the name without each of its characters: two names at a distance of one have one of them in common. */
function keysOf(folded: string): readonly string[] {
  if (folded.length < MIN_NEAR) return [folded];
  const keys = new Set([folded]);
  for (let index = 0; index < folded.length; index += 1)
    keys.add(folded.slice(0, index) + folded.slice(index + 1));
  return [...keys];
}

/** Whether two different texts become one by one insertion, deletion, replacement or swap of neighbours. */
function isNear(left: string, right: string): boolean {
  if (Math.abs(left.length - right.length) > 1) return false;
  let start = 0;
  while (start < left.length && left[start] === right[start]) start += 1;
  let end = 0;
  const shorter = Math.min(left.length, right.length);
  while (end < shorter - start && left.at(-1 - end) === right.at(-1 - end)) end += 1;
  const rest = [left.length - start - end, right.length - start - end];
  if (Math.max(...rest) <= 1) return true;
  return (
    rest[0] === 2 && rest[1] === 2 && left[start] === right[start + 1] && left[start + 1] === right[start]
  );
}

function pairs(characters: string, looksLike: string): [string, string][] {
  return Array.from(characters, (character) => [character, looksLike]);
}
