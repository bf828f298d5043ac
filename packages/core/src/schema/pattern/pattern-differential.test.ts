import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analysePattern } from './analyse-pattern.ts';
import type { CharacterSet } from './character-set.ts';
import { parsePattern } from './parse-pattern.ts';
import type { PatternNode, RepeatNode } from './pattern-node.ts';

const maxSteps = 400_000;

interface Run {
  readonly text: readonly number[];
  steps: number;
}

class TooManySteps extends Error {}

/** A backtracking search as ECMA-262 describes it, without captures; counts the characters and ends it looks at. */
function search(
  node: PatternNode,
  text: string,
  unicode: boolean,
): { readonly found: boolean; readonly steps: number } {
  const symbols = unicode ? Array.from(text) : text.split('');
  const run: Run = { text: symbols.map((symbol) => symbol.codePointAt(0) ?? 0), steps: 0 };
  for (let start = 0; start <= run.text.length; start += 1) {
    const found = attempt(node, start, run, () => {
      step(run);
      return true;
    });
    if (found) return { found, steps: run.steps };
  }
  return { found: false, steps: run.steps };
}

function step(run: Run): void {
  run.steps += 1;
  if (run.steps > maxSteps) throw new TooManySteps();
}

function attempt(node: PatternNode, at: number, run: Run, then: (at: number) => boolean): boolean {
  switch (node.kind) {
    case 'set': {
      step(run);
      const character = run.text[at];
      return character !== undefined && holds(node.set, character) && then(at + 1);
    }
    case 'sequence':
      return attemptAll(node.nodes, 0, at, run, then);
    case 'choice':
      return node.nodes.some((branch) => attempt(branch, at, run, then));
    case 'repeat':
      return attemptRepeat(node, 0, at, run, then);
    case 'start':
      return at === 0 && then(at);
    case 'end':
      return at === run.text.length && then(at);
    case 'boundary':
      return (isWord(run.text[at - 1]) !== isWord(run.text[at])) !== node.negated && then(at);
    case 'look': {
      const found = node.behind
        ? Array.from({ length: at + 1 }, (_, back) => at - back).some((from) =>
            attempt(node.node, from, run, (end) => end === at),
          )
        : attempt(node.node, at, run, () => true);
      return found !== node.negated && then(at);
    }
    case 'back-reference':
      throw new Error('not simulated');
  }
}

function attemptAll(
  nodes: readonly PatternNode[],
  index: number,
  at: number,
  run: Run,
  then: (at: number) => boolean,
): boolean {
  const node = nodes[index];
  return node === undefined
    ? then(at)
    : attempt(node, at, run, (next) => attemptAll(nodes, index + 1, next, run, then));
}

function attemptRepeat(
  node: RepeatNode,
  count: number,
  at: number,
  run: Run,
  then: (at: number) => boolean,
): boolean {
  const more = (): boolean =>
    count < node.max &&
    attempt(
      node.node,
      at,
      run,
      (next) => !(count >= node.min && next === at) && attemptRepeat(node, count + 1, next, run, then),
    );
  const enough = (): boolean => count >= node.min && then(at);
  return node.greedy ? more() || enough() : enough() || more();
}

function holds(set: CharacterSet, character: number): boolean {
  return set.ranges.some(([first, last]) => character >= first && character <= last);
}

function isWord(character: number | undefined): boolean {
  return character !== undefined && /^\w$/.test(String.fromCodePoint(character));
}

const { pattern } = fc.letrec<{ pattern: string; branch: string; piece: string; atom: string }>((tie) => ({
  pattern: fc.oneof(
    { weight: 5, arbitrary: tie('branch') },
    { weight: 1, arbitrary: fc.tuple(tie('branch'), tie('branch')).map((two) => two.join('|')) },
  ),
  branch: fc.array(tie('piece'), { minLength: 0, maxLength: 3 }).map((pieces) => pieces.join('')),
  piece: fc.oneof(
    tie('atom'),
    tie('atom'),
    fc
      .tuple(tie('atom'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{0,2}', '{2,}', '*?', '+?', '??'))
      .map((two) => two.join('')),
    fc.constantFrom(String.raw`\b`, '^', '$'),
  ),
  atom: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('a', 'b', '-', '.', '[ab]', '[^a]', String.raw`\w`, String.raw`\d`, '[a-c]', '1', 'é'),
    tie('pattern').map((inner) => `(?:${inner})`),
    tie('pattern').map((inner) => `(${inner})`),
    fc.tuple(fc.constantFrom('?=', '?!'), tie('pattern')).map(([look, inner]) => `(${look}${inner})`),
  ),
}));

const text = fc
  .array(fc.constantFrom('a', 'b', 'c', '-', '1', '\n', 'é', '😀'), { maxLength: 8 })
  .map((symbols) => symbols.join(''));
const anchored = fc
  .tuple(fc.constantFrom('', '^'), pattern, fc.constantFrom('', '$'))
  .map((parts) => parts.join(''));

/** Quantifiers straight after `^`, `$` or a look-ahead are native syntax errors under `u`. */
function nativeOf(source: string): { readonly expression: RegExp; readonly unicode: boolean } | undefined {
  for (const flags of ['u', '']) {
    try {
      return { expression: new RegExp(source, flags), unicode: flags === 'u' };
    } catch {
      // Tried with the next flags.
    }
  }
  return undefined;
}

describe('against the native engine', () => {
  test('a pattern is read as the native engine reads it', () => {
    fc.assert(
      fc.property(anchored, fc.array(text, { minLength: 1, maxLength: 5 }), (source, texts) => {
        const native = nativeOf(source);
        fc.pre(native !== undefined);
        const parsed = parsePattern(source, native.unicode);
        if (parsed.kind !== 'parsed') throw new Error(parsed.why);
        for (const sample of texts) {
          // The native engine also looks for a word boundary between the two halves of a pair, where nothing begins.
          if (/\\b/i.test(source) && /[\u{10000}-\u{10ffff}]/u.test(sample)) continue;
          let found: boolean;
          try {
            ({ found } = search(parsed.node, sample, native.unicode));
          } catch (error) {
            if (error instanceof TooManySteps) continue;
            throw error;
          }
          expect([sample, found]).toEqual([sample, native.expression.test(sample)]);
        }
      }),
      { numRuns: 400 },
    );
  });

  test.each([
    [String.raw`^[\w-a]$`, ['-', 'a', 'b', '!']],
    ['^a{,2}$', ['a{,2}', 'a']],
    [String.raw`^\u{61}$`, ['a', 'u'.repeat(61)]],
    [String.raw`^\uD83D\uDE00$`, ['😀', '\uD83D']],
    [String.raw`^[\b\-\]]$`, ['\b', '-', ']', '\\']],
    [String.raw`^\cJ\x41\0\t$`, ['\nA\0\t', 'J']],
    ['^]}{$', [']}{', ']']],
    [String.raw`^(?=a)*b\_$`, ['b_', 'ab_']],
    [String.raw`^[^\W\d]$`, ['a', '1', '_', ' ']],
    ['^.[^]$', ['a\n', '\na']],
    [String.raw`^(?<year>\d{4})$`, ['1999', 'year']],
    ['^a{0}b{0,0}$', ['', 'a']],
    ['^😀?$', ['😀', '', '\uDE00']],
    [String.raw`^\x4\u00$`, ['x4u00', '\x04']],
  ])('%j is read as the native engine reads it', (source, texts) => {
    const native = nativeOf(source);
    const parsed = parsePattern(source, native?.unicode ?? false);
    if (parsed.kind !== 'parsed') throw new Error(parsed.why);
    const ours = texts.map((sample) => search(parsed.node, sample, native?.unicode ?? false).found);
    expect(ours).toEqual(texts.map((sample) => native?.expression.test(sample)));
  });
});

describe('against a counting search', () => {
  test('a pattern judged linear takes at most about double the steps for a text of double length', () => {
    let judged = 0;
    const word = fc
      .array(fc.constantFrom('a', 'b', '-', '1', 'é'), { maxLength: 3 })
      .map((symbols) => symbols.join(''));
    const attacks = fc.array(fc.tuple(word, word, word), { minLength: 4, maxLength: 10 });
    fc.assert(
      fc.property(anchored, attacks, (source, pumped) => {
        const native = nativeOf(source);
        fc.pre(native !== undefined && analysePattern(source).kind === 'linear');
        const parsed = parsePattern(source, native.unicode);
        if (parsed.kind !== 'parsed') throw new Error(parsed.why);
        judged += 1;
        for (const [before, pump, after] of pumped) {
          const [short, long] = [60, 120].map(
            (times) => search(parsed.node, `${before}${pump.repeat(times)}${after}`, native.unicode).steps,
          );
          expect((long ?? 0) / ((short ?? 0) + 60)).toBeLessThan(2.3);
        }
      }),
      { numRuns: 500 },
    );
    expect(judged).toBeGreaterThan(300);
  });

  test.each(['^(a+)+$', '^a*a*b$', 'a+$'])('the count tells that %j is not linear', (source) => {
    const parsed = parsePattern(source, true);
    if (parsed.kind !== 'parsed') throw new Error(parsed.why);
    const count = (times: number): number => {
      try {
        return search(parsed.node, `${'a'.repeat(times)}!`, true).steps;
      } catch (error) {
        if (error instanceof TooManySteps) return Infinity;
        throw error;
      }
    };
    expect(count(120) / (count(15) + 60)).toBeGreaterThan(2.3 * 8);
  });
});
