import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPlaceholderId, syntheticId } from './synthetic-id.ts';

test('the same parts give the same id, and other parts another one', () => {
  const part = fc.oneof(fc.string({ maxLength: 4 }), fc.nat(20), fc.constant(null));
  const parts = fc.array(part, { maxLength: 4 });
  fc.assert(
    fc.property(parts, parts, (left, right) => {
      const same =
        left.map(String).join('\0') === right.map(String).join('\0') && left.length === right.length;
      expect(syntheticId('call', ...left) === syntheticId('call', ...right)).toBe(same);
    }),
  );
});

test('an id has what every wire accepts', () => {
  expect(syntheticId('call', '你\n', 3)).toMatch(/^[A-Za-z0-9_]{1,40}$/);
});

test.each([undefined, null, '', '  ', 'null', 'undefined', 'None', 5])('%j is no id', (id) => {
  expect(isPlaceholderId(id)).toBe(true);
});

test.each(['0', 'a', 'nullable', '-'])('%j is an id', (id) => {
  expect(isPlaceholderId(id)).toBe(false);
});
