import { describe, expect, test } from 'vitest';
import { GROWTH, growth } from '../../../../../test/support/growth.ts';
import { compileSchema } from '../compile-schema.ts';
import { fromPythonPattern } from './python-pattern.ts';

describe('a pattern of Python or Rust', () => {
  test.each<[string, string]>([
    ['\\Aa{,3}\\Z', '^a{0,3}$'],
    ['\\A[a-z]+\\z', '^[a-z]+$'],
    ['^(?P<year>\\d{4})-(?P=year)$', '^(?<year>\\d{4})-\\k<year>$'],
    ['\\A[😀é]{,2}😀\\Z', '^[😀é]{0,2}😀$'],
    ['^[\\w.]{,64}$', '^[\\w.]{0,64}$'],
    // With a second fault that only the flag minds.
    ['\\A\\d{3}\\-\\d{4}\\Z', '^\\d{3}\\-\\d{4}$'],
    ['[\\]AZ]+\\Z', '[\\]AZ]+$'],
    ['[{,3}]+\\Z', '[{,3}]+$'],
    ['^[[:alpha:]_][[:alnum:]_.-]*$', '^[a-zA-Z_][0-9a-zA-Z_.-]*$'],
    ['^[^[:space:]]+$', '^[^\\s]+$'],
    ['^[[:upper:][:digit:]]{2}$', '^[A-Z0-9]{2}$'],
    ['(?i)^ab-1$', '^[aA][bB]-1$'],
    ['/^[a-z]+$/', '^[a-z]+$'],
    ['/^ab/gi', '^[aA][bB]'],
    ['/^(a|[|)])$/', '^(a|[|)])$'],
    ['/\\d{3}$/u', '\\d{3}$'],
    ['/^\\/api\\/v1$/', '^\\/api\\/v1$'],
    ['(?i)\\A[a-fx_]+\\d\\Z', '^[a-fA-FxX_]+\\d$'],
    ['(?i)^[!-Z]$', '^[!-Za-z]$'],
    ['(?i)^[^a-~]$', '^[^a-~A-Z]$'],
    ['(?i)^[^-a.][\\w.-z]', '^[^-aA.][\\w.-zA-Za-z]'],
    ['(?i)^[b(?<Ab>]$', '^[bB(?<aAbB>]$'],
    ['(?i)\\u{1F6AB}\\cA$', '\\u{1F6AB}\\cA$'],
    ['(?i)^(?P<unit>kb|MB)$', '^(?<unit>[kK][bB]|[mM][bB])$'],
    ['(?i)^\\p{L}\\x41[[:lower:]]é$', '^\\p{L}\\x41[a-zA-Z]é$'],
  ])('%s is read as %s', (source, ecma) => {
    expect(fromPythonPattern(source)).toBe(ecma);
  });

  test.each<[string, string]>([
    ['one of ECMAScript', '^[a-z]{2,}$'],
    ['a backslash before a letter', '^C:\\\\Apps$'],
    ['letters of a class', '^[\\\\AZ]$'],
    ['nothing but an escape that the flag minds', '^\\d{3}\\-\\d{4}$'],
    ['a flag that no form is known for', '(?x)\\Aabc\\Z'],
    ['a flag of case before a range from an escape', '(?i)^[\\x21-Z]$'],
    ['a flag further in', 'a(?i)b'],
    ['an address with slashes', '/api/'],
    ['an address with a price', '/api/\\$/'],
    ['a literal whose flag changes more', '/^a.b$/s'],
    ['a literal that has to match where the text begins', '/ab$/y'],
    ['one of several with a slash', '/a|b$/'],
    ['a slash alone', '/'],
    ['a literal that is none', '/^(a$/'],
    ['a class of POSIX that there is not', '^[[:nothing:]]+$'],
    ['a class of POSIX without brackets', '^[:alpha:]+$'],
    ['a class of POSIX by its escape', '^\\[[:alpha:]\\]+$'],
    ['a pattern that is none', '\\A(abc\\Z'],
    ['an escape at the end', '\\Aabc\\'],
  ])('is not seen in %s', (_what, source) => {
    expect(fromPythonPattern(source)).toBeUndefined();
  });

  test.each(['own', 'foreign'] as const)(
    'bounds what was meant, is shown as it is enforced, and is told of (%s)',
    (trust) => {
      const schema = compileSchema({ type: 'string', pattern: '\\Aab{,2}\\Z' }, { trust });
      expect(['a', 'abb', 'abbb', 'Aab{,2}Z'].map((text) => schema.check(text))).toEqual([
        true,
        true,
        false,
        false,
      ]);
      expect(schema.json).toEqual({ type: 'string', pattern: '^ab{0,2}$' });
      expect(schema.intake.notes).toMatchObject([{ kind: 'normalised', pointer: '/pattern' }]);
    },
  );

  test('is refused where nothing is to be normalised', () => {
    expect(() => compileSchema({ pattern: '\\Aa\\Z' }, { strict: true })).toThrow(
      expect.objectContaining({ code: 'schema/leftover' }),
    );
  });

  test.each(['[a', '{,', '(?P=', '\\A', '(?P<', '[[:', '[:a', '\\p{a', '/'])(
    'of %s again and again takes no longer than its length',
    (piece) => {
      const read = (size: number): void => {
        fromPythonPattern(`\\A${piece.repeat(size)}\\Z`);
        fromPythonPattern(`(?i)${piece.repeat(size)}`);
        fromPythonPattern(`/^${piece.repeat(size)}$/i`);
        fromPythonPattern(`/${'\\\\'.repeat(size)}`);
      };
      expect(growth(read, 2_500)).toBeLessThan(GROWTH * 4);
    },
  );
});
