import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withoutCaseFlag } from './case-insensitive.ts';

const ends = ['a', 'm', 'z', 'A', 'Q', 'Z', '0', '!', '@', '_', '~', '[', '\\-', '\\]'];
const single = fc.constantFrom(...ends);
const inClass = fc.oneof(
  single,
  fc.tuple(single, single).map(([first, last]) => `${first}-${last}`),
);
const classes = fc
  .tuple(fc.constantFrom('', '^'), fc.array(inClass, { minLength: 1, maxLength: 3 }))
  .map(([denied, parts]) => `[${denied}${parts.join('')}]`);
const patterns = fc
  .array(fc.oneof(single, classes, fc.constantFrom('(?<Ab>x)', '|', '^', '$')), { maxLength: 4 })
  .map((parts) => parts.join(''));

test('a pattern without the flag matches what it matches with it, as ECMAScript has it', () => {
  fc.assert(
    fc.property(patterns, (pattern) => {
      const reference = whole(pattern, 'iu');
      const written = withoutCaseFlag(`(?i)${pattern}`);
      // Left as it is, it is refused.
      fc.pre(reference !== undefined && !written.startsWith('(?i)'));
      const translated = whole(written, 'u');
      for (let point = 0x20; point < 0x7f; point += 1) {
        const text = String.fromCharCode(point);
        expect([text, translated?.test(text)]).toEqual([text, reference?.test(text)]);
      }
    }),
    { numRuns: 2_000 },
  );
});

function whole(pattern: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(`^(?:${pattern})$`, flags);
  } catch {
    return undefined;
  }
}
