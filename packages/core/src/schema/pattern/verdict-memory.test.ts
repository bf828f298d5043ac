import fc from 'fast-check';
import { expect, test } from 'vitest';
import { analysePattern, type PatternVerdict } from './analyse-pattern.ts';
import { createVerdictMemory, type VerdictMemory } from './verdict-memory.ts';

const linear: PatternVerdict = { kind: 'linear' };

/** Asks a memory, and says what the analysis cost and how often it was made. */
function ask(
  memory: VerdictMemory,
  source: string,
  remaining = 1_000,
): { readonly verdict: PatternVerdict; readonly remaining: number; readonly analysed: boolean } {
  const budget = { remaining };
  let analysed = false;
  const verdict = memory.verdictOn(source, budget, () => {
    analysed = true;
    return analysePattern(source, { budget });
  });
  return { verdict, remaining: budget.remaining, analysed };
}

test('a pattern is analysed once, and costs the same steps from memory', () => {
  const memory = createVerdictMemory(4);
  const first = ask(memory, '^[a-z]+$');
  expect(first).toEqual({ verdict: linear, remaining: expect.any(Number), analysed: true });
  expect(first.remaining).toBeLessThan(1_000);
  expect(ask(memory, '^[a-z]+$')).toEqual({ ...first, analysed: false });
});

test('a remembered verdict that the budget would not have held out for is not given', () => {
  const memory = createVerdictMemory(4);
  const steps = 1_000 - ask(memory, '^[a-z]+$').remaining;
  expect(ask(memory, '^[a-z]+$', steps - 1).verdict).toEqual(
    ask(createVerdictMemory(4), '^[a-z]+$', steps - 1).verdict,
  );
  expect(ask(memory, '^[a-z]+$', steps).verdict).toEqual(linear);
});

test('an analysis that ran out of its budget is made again with the next', () => {
  const memory = createVerdictMemory(4);
  expect(ask(memory, '^[a-z]+$', 1).verdict.kind).toBe('ambiguous');
  expect(ask(memory, '^[a-z]+$')).toMatchObject({ verdict: linear, analysed: true });
});

test('of more patterns than the memory holds, the one that was asked for longest ago is forgotten', () => {
  const memory = createVerdictMemory(2);
  for (const source of ['a', 'b', 'a', 'c']) ask(memory, source);
  expect(ask(memory, 'a').analysed).toBe(false);
  expect(ask(memory, 'c').analysed).toBe(false);
  expect(ask(memory, 'b').analysed).toBe(true);
});

test('no verdict depends on what was asked before', () => {
  const sources = ['^a+$', '^(a+)+$', String.raw`(a)\1`, 'x{1,20}y', '^[a-z0-9]+(-[a-z0-9]+)*$', 'a|aa'];
  const question = fc.tuple(fc.constantFrom(...sources), fc.integer({ min: 0, max: 400 }));
  fc.assert(
    fc.property(fc.array(question, { maxLength: 20 }), (questions) => {
      const memory = createVerdictMemory(3);
      for (const [source, remaining] of questions) {
        const budget = { remaining };
        const expected = analysePattern(source, { budget });
        const { verdict, remaining: left } = ask(memory, source, remaining);
        expect([verdict, Math.max(0, left)]).toEqual([expected, Math.max(0, budget.remaining)]);
      }
    }),
  );
});
