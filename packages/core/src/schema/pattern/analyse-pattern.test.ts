import { describe, expect, test } from 'vitest';
import { analysePattern, maxAnalysisSteps } from './analyse-pattern.ts';

const raw = String.raw;

/** Patterns that tools really use, and that no text makes slow. */
const linearPatterns: readonly string[] = [
  '',
  'a',
  'foo|bar',
  '[a-z]',
  '^[a-z]+$',
  '^[A-Z]{3}$',
  raw`^\d{4}-\d{2}$`,
  raw`^\d{1,10}\.\d{6}$`,
  raw`^#?([a-f0-9]{6}|[a-f0-9]{3})$`,
  raw`^\+[1-9]\d{1,14}$`,
  raw`^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$`,
  raw`^(\d+|imap:[A-Za-z0-9_-]+)$`,
  raw`^[a-z0-9]+(?:-[a-z0-9]+)*$`,
  raw`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$`,
  raw`^(?!\.)(?!.*\.\.)([A-Za-z0-9_'+\-\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}$`,
  raw`^(?:[A-Za-z0-9_'+\-]+\.)*[A-Za-z0-9_'+\-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}$`,
  raw`^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$`,
  raw`^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000)$`,
  raw`^P(?:(\d+W)|(?!.*W)(?=\d|T\d)(\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+([.,]\d+)?S)?)?)$`,
  raw`^$|^(?:[0-9a-zA-Z+/]{4})*(?:(?:[0-9a-zA-Z+/]{2}==)|(?:[0-9a-zA-Z+/]{3}=))?$`,
  raw`^(?:(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9][0-9]|[0-9])\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9][0-9]|[0-9])$`,
  raw`^a--?\d+(?:\.\d+)?$`,
  raw`^[\w%+.-]+@[\d.A-Za-z-]+\.[A-Za-z]{2,}$`,
  raw`^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$`,
  raw`^https?://[^\s/$.?#].[^\s]*$`,
  'https?://.+',
  raw`^arn:aws:[a-z0-9-]+:[a-z0-9-]*:\d{12}:.+$`,
  '^projects/[^/]+/locations/[^/]+$',
  raw`^[\p{L}\p{N} _-]{1,100}$`,
  raw`^[^\x00-\x1f]+$`,
  raw`^(?=.*[A-Z])(?=.*\d).{8,}$`,
  raw`^(?:.|\n)*$`,
  '^.{1,5000}$',
  raw`^\s*\S.*$`,
  // Found at once, so that nobody looks again from the next character.
  '.*',
  raw`\S+`,
  'a*|b*',
  '(?<=a)b',
  raw`(?<=^|\b|[ab]$)c`,
  '(?<!ab)c',
  raw`^\0\x4\u00\cJ[\b\-]$`,
  raw`^\u{1F600}\uD83D\uDE00\uD83D\u0061$`,
  raw`^\p{Lu}\P{Lu}[^\p{Lu}]$`,
  '^(?:)$',
  '^a{0}$',
  raw`^(?:a{3}|b){2,4}(?=c)$`,
  // Invalid under `u`, valid without.
  raw`^[\w\-_]+\_$`,
];

/** Patterns with a text that makes a backtracking engine slow, by the square of its length or worse. */
const slowPatterns: readonly string[] = [
  '^(a+)+$',
  '^(a|aa)+$',
  '^(a|a)*$',
  '^(a*)*$',
  '^(a*)*b',
  '^(a|b|ab)*c$',
  '(x+x+)+y',
  '^a*a*a*a*b$',
  '^.*.*=.*$',
  '(.*,){20}',
  raw`\s+$`,
  '[a-z]+@x',
  '<a.*b.*c>',
  raw`\d+\.\d+\.\d+$`,
  raw`^[^@\s]+@[^@\s]+\.[^@\s]+$`,
  '^([^@]+)*@',
  raw`^(?:[a-z]+\.?)+$`,
  raw`^(([a-z])+.)+[A-Z]([a-z])+$`,
  '^(?:a?){100}a{100}$',
  '^(?:(?:|){30}){30}x',
  '^(?:(?:(?:|){30}){40}a)*b',
  '(?:(?:){1000}){1000}a',
  `${'(?<=a)'.repeat(100)}b`,
  `${raw`\b`.repeat(200)}b`,
  '^(?=(?:(?:|){30}){30}(?!))',
  '^(?:(?:|a){30}){30}b',
  '^(?:a(?=.*b))*c',
  '^a*(?=.*b)c',
  '(?=.*x)y',
  '(?!.*x)y',
  raw`^(\p{L}+\p{L}+)+$`,
  raw`^(?:é+)+$`,
  raw`^(?:a+?)+?b`,
];

/** Forms for which no proof is attempted. */
const unprovedPatterns: readonly string[] = [
  raw`[\c!]\_`,
  raw`\c`,
  raw`(?<=(?=a)b)c`,
  '(?<=abcdefg)h',
  `${'('.repeat(70)}a${')'.repeat(70)}`,

  raw`(.+)\1`,
  raw`(?<x>a)\k<x>`,
  '(?<=a+)b',
  '(?<!a+)b',
  raw`\01`,
];

describe('analysePattern', () => {
  test.each(linearPatterns.map((pattern) => [pattern]))('finds a proof for %j', (pattern) => {
    expect(analysePattern(pattern)).toEqual({ kind: 'linear' });
  });

  test.each([...slowPatterns, ...unprovedPatterns].map((pattern) => [pattern]))(
    'finds no proof for %j',
    (pattern) => {
      expect(analysePattern(pattern)).toEqual({ kind: 'ambiguous', why: expect.any(String) });
    },
  );

  test.each([['('], ['a{2,1}'], ['(?i)a'], ['[b-a]'], ['*'], ['(?<n>a)(?<n>b)']])(
    'calls %j invalid',
    (pattern) => {
      expect(analysePattern(pattern).kind).toBe('invalid');
    },
  );

  test('takes no more steps than its budget holds, whatever the pattern', () => {
    const sizes = [
      `${'('.repeat(500)}a${')'.repeat(500)}`,
      '(a{0,60}){0,60}'.repeat(20),
      `[${'a-zA-Z'.repeat(300)}]*`.repeat(5),
      '(?:a|b|c|d){0,64}x'.repeat(10),
    ];
    for (const pattern of sizes) {
      const budget = { remaining: maxAnalysisSteps };
      expect(analysePattern(pattern, { budget }).kind).toBe('ambiguous');
      expect(budget.remaining).toBeGreaterThan(-maxAnalysisSteps);
    }
  });

  test('a spent budget proves nothing', () => {
    expect(analysePattern('^a$', { budget: { remaining: 0 } }).kind).toBe('ambiguous');
  });
});
