import { withoutCaseFlag } from './case-insensitive.ts';
import { withoutDelimiters } from './pattern-literal.ts';
import { posixClassAt } from './posix-class.ts';

/** Forms of other languages that ECMAScript refuses with the `u` flag, or reads as something else without it. */
const SUSPECT = /\\[AZz]|\{,\d|\(\?P[<=]|\[:[a-z]|^\(\?i\)/;
const BOUND = /\{,\d{1,10}\}/y;
const HELD = /\(\?P=([A-Za-z_]\w{0,63})\)/y;

/**
 * A pattern as libraries of Python and Rust write it, as ECMAScript has it: `\A`, `\Z` and `\z` are the ends of the text,
 * `{,3}` is up to three, `(?P<name>…)` and `(?P=name)` are a group and what it held, `[[:alpha:]]` is a class of POSIX, and a leading
 * `(?i)` means both cases. The slashes of a literal are taken off where no text could match with them.
 *
 * @returns `undefined` for a pattern that is one of ECMAScript, that has no such form, or that is none with them either.
 */
export function fromPythonPattern(source: string): string | undefined {
  const bare = withoutDelimiters(source);
  const isOther = SUSPECT.test(bare) && !compiles(bare, 'u');
  if (bare === source && !isOther) return undefined;
  const translated = isOther ? withoutCaseFlag(translate(bare)) : bare;
  return translated !== source && (compiles(translated, 'u') || compiles(translated, ''))
    ? translated
    : undefined;
}

function translate(source: string): string {
  let translated = '';
  let inClass = false;
  for (let at = 0; at < source.length; ) {
    const [taken, written] = inClass ? inside(source, at) : outside(source, at);
    translated += written;
    if (inClass ? written === ']' : source[at] === '[') inClass = !inClass;
    at += taken;
  }
  return translated;
}

/** How many characters of a class stand for what. */
function inside(source: string, at: number): readonly [number, string] {
  if (source[at] === '\\') return [2, source.slice(at, at + 2)];
  return posixClassAt(source, at) ?? [1, source.charAt(at)];
}

/** The same outside of classes. */
function outside(source: string, at: number): readonly [number, string] {
  const character = source.charAt(at);
  const next = source.charAt(at + 1);
  switch (character) {
    case '\\':
      return [2, next === 'A' ? '^' : next === 'Z' || next === 'z' ? '$' : source.slice(at, at + 2)];
    case '{': {
      const bound = matchAt(BOUND, source, at);
      return bound === undefined ? [1, '{'] : [bound[0].length, `{0${bound[0].slice(1)}`];
    }
    case '(': {
      if (source.startsWith('(?P<', at)) return [4, '(?<'];
      const held = matchAt(HELD, source, at);
      return held === undefined ? [1, '('] : [held[0].length, `\\k<${held[1]}>`];
    }
    default:
      return [1, character];
  }
}

function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source) ?? undefined;
}

function compiles(source: string, flags: 'u' | ''): boolean {
  try {
    return new RegExp(source, flags) instanceof RegExp;
  } catch {
    return false;
  }
}
