import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeIssues } from './describe-issues.ts';
import type { Issue } from './schema.ts';

const issue = (pointer: string, keyword: string, message: string): Issue => ({
  pointer,
  keyword,
  message,
  expected: '',
  actual: '',
});
const bytes = (text: string): number => new TextEncoder().encode(text).length;

describe('describeIssues', () => {
  test('says the place, the rule and the expectation, one line for each issue', () => {
    const text = describeIssues([
      issue('/days', 'type', 'must be an integer, but is "three"'),
      issue('', 'required', 'must have "city", but it is missing'),
    ]);
    expect(text).toBe(
      '/days type: must be an integer, but is "three"\n(root) required: must have "city", but it is missing',
    );
  });

  test('is empty without issues', () => {
    expect(describeIssues([])).toBe('');
  });

  test('counts the issues that it leaves out', () => {
    const issues = Array.from({ length: 1_000 }, (_, index) =>
      issue(`/items/${index}`, 'type', 'must be an object, but is 1'),
    );
    const lines = describeIssues(issues).split('\n');
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([
      21,
      '/items/0 type: must be an object, but is 1',
      '... and 980 more',
    ]);
    expect(describeIssues(issues, { maxIssues: 1 }).split('\n')).toEqual([lines[0], '... and 999 more']);
    expect(describeIssues(issues, { maxIssues: 0 })).toBe('1000 issues');
  });

  test('leaves out whole lines to stay within its bytes', () => {
    const issues = Array.from({ length: 10 }, () => issue('/a', 'anyOf', 'é'.repeat(100)));
    const line = `/a anyOf: ${'é'.repeat(100)}`;
    expect(describeIssues(issues, { maxBytes: 2 * bytes(line) + 20 }).split('\n')).toEqual([
      line,
      line,
      '... and 8 more',
    ]);
    expect(describeIssues(issues.slice(0, 2), { maxBytes: 2 * bytes(line) + 1 }).split('\n')).toEqual([
      line,
      line,
    ]);
    expect(describeIssues(issues, { maxBytes: 64 })).toBe('10 issues');
  });

  test('shortens a long place at its front and a long message at its end', () => {
    const text = describeIssues([issue(`/${'deep/'.repeat(100)}end`, 'type', 'm'.repeat(5_000))]);
    expect(text).toMatch(/^….*\/end type: m+…$/);
    expect(bytes(text)).toBeLessThan(600);
  });

  test('escapes what could change how the text is read', () => {
    const text = describeIssues([issue('/a\u0007\n\u202e', 'type', 'is\u2028\u200b<\u001b[31m\u{e0041}')]);
    expect(text).toBe(String.raw`/a\u0007\u000a\u202e type: is\u2028\u200b<\u001b[31m\udb40\udc41`);
  });

  test('keeps its bounds and shows no control character, whatever the issues say', () => {
    const any = fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), fc.string({ maxLength: 2_000 }));
    const issues = fc.array(
      fc.record({ pointer: any, keyword: any, message: any, expected: any, actual: any }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(
        issues,
        fc.integer({ min: 0, max: 30 }),
        fc.integer({ min: 64, max: 5_000 }),
        (list, maxIssues, maxBytes) => {
          const text = describeIssues(list, { maxIssues, maxBytes });
          expect(bytes(text)).toBeLessThanOrEqual(maxBytes);
          expect(text.split('\n').length).toBeLessThanOrEqual(maxIssues + 1);
          expect(text.replaceAll('\n', '')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
        },
      ),
    );
  });
});
