import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codePoints } from './code-points.ts';

test('counts what iteration over the text counts, lone surrogates included', () => {
  const units = fc.array(fc.constantFrom('a', '\ud83d', '\ude00', '😀', 'é'), { maxLength: 12 });
  fc.assert(
    fc.property(units, (pieces) => {
      const text = pieces.join('');
      expect(codePoints(text)).toBe(Array.from(text).length);
    }),
  );
});
