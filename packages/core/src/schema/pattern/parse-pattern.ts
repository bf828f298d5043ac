import { dot, single } from './character-set.ts';
import { parseClass } from './parse-class.ts';
import { codeOf, parseCharacterEscape } from './parse-escape.ts';
import type { PatternNode } from './pattern-node.ts';
import {
  isDigit,
  type PatternReader,
  patternReader,
  startsWith,
  take,
  takeSymbol,
  takeWhile,
  UnreadPattern,
} from './pattern-reader.ts';

/** Groups inside groups that are followed. */
const maxNesting = 64;

/** A pattern that was read, or why it was not. */
export type ParsedPattern =
  | { readonly kind: 'parsed'; readonly node: PatternNode }
  | { readonly kind: 'unread'; readonly why: string };

/**
 * Reads a pattern of ECMA-262, section 22.2.1.
 *
 * @param source - A pattern that the native engine accepts with the same flag; errors are not looked for again.
 * @param unicode - Whether the `u` flag holds. Without it the forms of annex B are read too.
 */
export function parsePattern(source: string, unicode: boolean): ParsedPattern {
  const reader = patternReader(source, unicode);
  try {
    const node = parseChoice(reader, 0);
    if (reader.next < reader.symbols.length) throw new UnreadPattern('it has an unbalanced parenthesis');
    return { kind: 'parsed', node };
  } catch (error) {
    if (error instanceof UnreadPattern) return { kind: 'unread', why: error.message };
    throw error;
  }
}

function parseChoice(reader: PatternReader, nesting: number): PatternNode {
  if (nesting > maxNesting) throw new UnreadPattern('its groups are nested too deeply');
  const branches: PatternNode[] = [parseSequence(reader, nesting)];
  while (take(reader, '|')) branches.push(parseSequence(reader, nesting));
  const [only] = branches;
  return branches.length === 1 && only !== undefined ? only : { kind: 'choice', nodes: branches };
}

function parseSequence(reader: PatternReader, nesting: number): PatternNode {
  const nodes: PatternNode[] = [];
  while (reader.next < reader.symbols.length && !startsWith(reader, '|') && !startsWith(reader, ')')) {
    nodes.push(parseQuantified(reader, nesting));
  }
  const [only] = nodes;
  return nodes.length === 1 && only !== undefined ? only : { kind: 'sequence', nodes };
}

function parseQuantified(reader: PatternReader, nesting: number): PatternNode {
  const node = parseAtom(reader, nesting);
  const bounds = parseBounds(reader);
  if (bounds === undefined) return node;
  return { kind: 'repeat', node, min: bounds[0], max: bounds[1], greedy: !take(reader, '?') };
}

function parseBounds(reader: PatternReader): readonly [min: number, max: number] | undefined {
  if (take(reader, '*')) return [0, Infinity];
  if (take(reader, '+')) return [1, Infinity];
  if (take(reader, '?')) return [0, 1];
  const before = reader.next;
  if (take(reader, '{')) {
    const min = takeWhile(reader, isDigit);
    const max = take(reader, ',') ? takeWhile(reader, isDigit) || 'Infinity' : min;
    if (min !== '' && take(reader, '}')) return [Number(min), Number(max)];
  }
  // Without `u`, a brace that is no quantifier stands for itself.
  reader.next = before;
  return undefined;
}

function parseAtom(reader: PatternReader, nesting: number): PatternNode {
  const symbol = takeSymbol(reader);
  switch (symbol) {
    case '^':
      return { kind: 'start' };
    case '$':
      return { kind: 'end' };
    case '.':
      return { kind: 'set', set: dot };
    case '[':
      return { kind: 'set', set: parseClass(reader) };
    case '(':
      return parseGroup(reader, nesting + 1);
    case '\\':
      return parseEscape(reader);
    default:
      return { kind: 'set', set: single(codeOf(symbol)) };
  }
}

function parseGroup(reader: PatternReader, nesting: number): PatternNode {
  const wrap = parseGroupStart(reader);
  const node = parseChoice(reader, nesting);
  if (!take(reader, ')')) throw new UnreadPattern('it has an unbalanced parenthesis');
  return wrap(node);
}

function parseGroupStart(reader: PatternReader): (node: PatternNode) => PatternNode {
  if (!take(reader, '?') || take(reader, ':')) return (node) => node;
  for (const behind of [false, true]) {
    for (const negated of [false, true]) {
      if (take(reader, `${behind ? '<' : ''}${negated ? '!' : '='}`))
        return (node) => ({ kind: 'look', node, behind, negated });
    }
  }
  if (!take(reader, '<')) throw new UnreadPattern('it changes flags inside');
  takeWhile(reader, (symbol) => symbol !== '>');
  take(reader, '>');
  return (node) => node;
}

function parseEscape(reader: PatternReader): PatternNode {
  if (take(reader, 'b')) return { kind: 'boundary', negated: false };
  if (take(reader, 'B')) return { kind: 'boundary', negated: true };
  const letter = reader.symbols[reader.next] ?? '';
  if (letter !== '0' && isDigit(letter)) return { kind: 'back-reference' };
  // Without named groups annex B reads `\k` as a letter; taken for a reference it is only judged more strictly.
  if (letter === 'k') return { kind: 'back-reference' };
  return { kind: 'set', set: parseCharacterEscape(reader) };
}
