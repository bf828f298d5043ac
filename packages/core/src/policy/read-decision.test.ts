import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanReason } from './clean-reason.ts';
import { readDecision } from './read-decision.ts';

describe('a decision', () => {
  test.each([
    ['allow', { kind: 'allow' }],
    ['decline', { kind: 'decline' }],
    ['defer', { kind: 'defer' }],
    [{ decision: 'allow' }, { kind: 'allow' }],
    [{ decision: 'allow', arguments: undefined }, { kind: 'allow' }],
    [
      { decision: 'allow', arguments: { b: 1, a: [] } },
      { kind: 'allow', argumentsText: '{"b":1,"a":[]}' },
    ],
    [{ decision: 'decline' }, { kind: 'decline' }],
    [
      { decision: 'decline', reason: ' not\nnow ' },
      { kind: 'decline', reason: 'not now' },
    ],
    [{ decision: 'decline', reason: '' }, { kind: 'decline' }],
    [{ decision: 'defer' }, { kind: 'defer' }],
  ])('%j is read', (answer, expected) => {
    expect(readDecision(answer)).toEqual(expected);
  });

  const cyclic: { self?: unknown } = {};
  cyclic.self = cyclic;
  test.each<[string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['true', true],
    ['false', false],
    ['1', 1],
    ['"yes"', 'yes'],
    ['"Allow"', 'Allow'],
    ['"allow "', 'allow '],
    ['an empty object', {}],
    ['a boxed word', new String('allow')],
    ['an array', ['allow']],
    ['an unknown decision', { decision: 'approve' }],
    ['a misspelt member', { decision: 'allow', argument: { amount: 1 } }],
    ['a reason on a yes', { decision: 'allow', reason: 'fine' }],
    ['arguments on a no', { decision: 'decline', arguments: {} }],
    ['a reason that is no string', { decision: 'decline', reason: 5 }],
    ['arguments that are a string', { decision: 'allow', arguments: '{}' }],
    ['arguments that are an array', { decision: 'allow', arguments: [] }],
    ['arguments that are null', { decision: 'allow', arguments: null }],
    ['arguments with NaN', { decision: 'allow', arguments: { n: Number.NaN } }],
    ['arguments with a cycle', { decision: 'allow', arguments: cyclic }],
    ['an inherited decision', Object.create({ decision: 'allow' })],
    ['a promise', Promise.resolve('allow')],
    [
      'a throwing getter',
      {
        get decision() {
          throw new Error('no');
        },
      },
    ],
  ])('%s is none', (_name, answer) => {
    expect(() => readDecision(answer)).toThrow(expect.objectContaining({ code: 'policy/decision-invalid' }));
  });

  test('reads a member once, so that what was checked is what counts', () => {
    let reads = 0;
    const answer = {
      get decision() {
        reads += 1;
        return reads === 1 ? 'decline' : 'allow';
      },
    };
    expect(readDecision(answer)).toEqual({ kind: 'decline' });
    expect(reads).toBe(1);
  });
});

describe('a reason', () => {
  test('is one line without invisible characters', () => {
    expect(cleanReason('a\u0000b\u202Ec\u200Dd\ud800e\r\n\tf\u2028g')).toBe('a b c d e f g');
  });

  test('is cut between characters', () => {
    const cut = cleanReason('\u{1F600}'.repeat(600));
    expect(Array.from(cut).length).toBe(500);
    expect(cut.endsWith('\u{1F600}…')).toBe(true);
    expect(cleanReason('x'.repeat(500))).toBe('x'.repeat(500));
    expect(cleanReason('x'.repeat(501))).toBe(`${'x'.repeat(499)}…`);
  });

  test('is bounded, well-formed and free of controls, whatever was given', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 3_000 }), (reason) => {
        const clean = cleanReason(reason);
        expect(Array.from(clean).length).toBeLessThanOrEqual(500);
        expect(clean.isWellFormed()).toBe(true);
        expect(clean).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      }),
    );
  });
});
