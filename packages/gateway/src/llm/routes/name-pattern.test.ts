import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileNamePattern } from './name-pattern.ts';

test.each([
  ['gpt', 'gpt', true],
  ['gpt', 'gpt-4', false],
  ['gpt*', 'gpt-4', true],
  ['*', '', true],
  ['a*a', 'a', false],
  ['a*b*c', 'aXbYc', true],
  ['a*b*c', 'acb', false],
  ['*-mini*', 'x-mini', true],
  ['a.b', 'axb', false],
])('the pattern %j fits %j: %s', (pattern, name, fits) => {
  expect(compileNamePattern(pattern)(name)).toBe(fits);
});

test('a pattern fits what a regular expression with the same stars fits', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 8 });
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*'), maxLength: 6 });
  fc.assert(
    fc.property(pattern, text, (stars, name) => {
      const expression = new RegExp(`^${stars.replaceAll('.', '\\.').replaceAll('*', '.*')}$`);
      expect(compileNamePattern(stars)(name)).toBe(expression.test(name));
    }),
  );
});
