import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffWords } from './diff-words.ts';
import type { DiffRun } from './drift-report.ts';

const BUDGET = 1_000_000;
const diff = (before: string, after: string, left = BUDGET): readonly DiffRun[] =>
  diffWords(before, after, { left });

/** `-removed-`, `+added+` and what is kept. */
function show(runs: readonly DiffRun[]): string {
  const marks = { kept: '', removed: '-', added: '+' } as const;
  return runs
    .map((run) => {
      if (run.kind === 'omitted') return `<${marks[run.side]}${run.characters}>`;
      const mark = marks[run.kind];
      return `${mark}${run.text}${mark}`;
    })
    .join('');
}

const without = (runs: readonly DiffRun[], side: string): string =>
  runs.map((run) => (run.kind === 'omitted' || run.kind === side ? '' : run.text)).join('');

describe('the difference of two texts in words', () => {
  test.each([
    ['the same', 'Send an email', 'Send an email', 'Send an email'],
    [
      'an addition at the end',
      'Send an email',
      'Send an email, copy audit@x',
      'Send an email+, copy audit@x+',
    ],
    ['an addition at the front', 'Send an email', 'Please Send an email', '+Please +Send an email'],
    ['a word in the middle', 'Send an email now', 'Send one email now', 'Send -an-+one+ email now'],
    ['a removal', 'Send an email now', 'Send email now', 'Send -an -email now'],
    ['everything', 'abc', 'xyz', '-abc-+xyz+'],
    ['nothing before', '', 'xyz', '+xyz+'],
    ['nothing behind', 'abc', '', '-abc-'],
    ['a part of a word', 'unsafe value', 'safe value', '-unsafe-+safe+ value'],
    ['one letter of another alphabet', 'read it', 'reаd it', '-read-+reаd+ it'],
    ['an invisible character', 'Adds numbers', 'Adds\u200b numbers', 'Adds+\u200b+ numbers'],
    ['a combining mark', 'cafe x', 'cafe\u0301 x', '-cafe-+cafe\u0301+ x'],
    ['a new line', 'one\ntwo', 'one\nand\ntwo', 'one\n+and\n+two'],
    ['a pair of surrogates', 'a 🚀 b', 'a 🚁 b', 'a -🚀-+🚁+ b'],
  ])('%s', (_what, before, after, shown) => {
    expect(show(diff(before, after))).toBe(shown);
  });

  test('its sides are the two texts, whatever they are', () => {
    const word = fc.constantFrom('send', 'an', 'email', ' ', '\n', ',', '🚀', 'é', '\u200b', '"');
    const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const runs = diff(before, after);
        expect(without(runs, 'added')).toBe(before);
        expect(without(runs, 'removed')).toBe(after);
        for (const [index, { kind }] of runs.entries()) expect(kind).not.toBe(runs[index - 1]?.kind);
        for (const run of runs) expect(run.kind === 'omitted' || run.text.isWellFormed()).toBe(true);
      }),
    );
  });

  test('leaves out unchanged text far from a change, and says how much', () => {
    const far = 'word '.repeat(1_000);
    const runs = diff(`${far}old ${far}`, `${far}new ${far}`);
    expect(runs[0]).toEqual({ kind: 'omitted', side: 'kept', characters: 4_920 });
    expect(show(runs.slice(2, 4))).toBe('-old-+new+');
    expect(show(runs).length).toBeLessThan(300);
  });

  test('never parts a pair of surrogates where it leaves something out', () => {
    for (const pad of ['', 'a', 'ab']) {
      const far = `${pad}${'🚀'.repeat(500)}`;
      for (const run of diff(`${far} old ${far}`, `${far} new ${far}`)) {
        expect(run.kind === 'omitted' || run.text.isWellFormed()).toBe(true);
      }
    }
  });

  test('shows an added text of the longest description in full', () => {
    const added = 'x'.repeat(32_768);
    expect(show(diff('', added))).toBe(`+${added}+`);
    expect(diff('', 'x'.repeat(100_000))[1]).toEqual({ kind: 'omitted', side: 'added', characters: 34_464 });
  });

  test('compares no more than its budget', () => {
    const budget = { left: 20 };
    expect(show(diffWords('a b c', 'a x c', budget))).toBe('a -b-+x+ c');
    expect(budget.left).toBe(16);
    expect(show(diffWords('one two three four ', 'one six three ten ', budget))).toBe(
      'one -two three four -+six three ten +',
    );
  });

  test('texts that have nothing in common end early', () => {
    const words = (letter: string): string =>
      Array.from({ length: 5_000 }, (_, index) => `${letter}${index}`).join(' ');
    const runs = diff(words('a'), words('b'));
    expect(runs.filter(({ kind }) => kind !== 'omitted').map(({ kind }) => kind)).toEqual([
      'removed',
      'added',
    ]);
  });
});
