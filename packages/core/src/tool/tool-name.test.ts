import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkToolName, foldToolName, isToolName } from './tool-name.ts';

test.each(['a', 'A-b_9', '-', '__proto__', 'constructor', 'x'.repeat(64)])(
  '%s is a name, unchanged',
  (name) => {
    expect(checkToolName(name)).toBe(name);
  },
);

test.each([
  ['empty', ''],
  ['too long', 'x'.repeat(65)],
  ['a dot', 'calendar.update'],
  ['a slash', 'a/b'],
  ['a space before', ' a'],
  ['a newline after', 'a\n'],
  ['a path', '../../secret'],
  ['a letter outside ASCII', 'gr\u00f6\u00dfe'],
  ['a look-alike letter', '\u0430dd'],
  ['an invisible character', 'a\u200bb'],
  ['a full-width letter', '\uff41'],
  ['a lone surrogate', '\ud800'],
  ['nothing', undefined],
  ['a number', 7],
  ['an array that prints as a name', ['add']],
  ['an object that prints as a name', { toString: () => 'add' }],
])('%s is refused, not repaired', (_, name) => {
  expect(isToolName(name)).toBe(false);
  expect(() => checkToolName(name)).toThrow(expect.objectContaining({ code: 'tool/name-invalid' }));
});

test('the refusal quotes a bounded, escaped piece of the name', () => {
  const name = `${'x'.repeat(10_000)}\u001b[31m`;
  expect(() => checkToolName(name)).toThrow(/^[\x20-\x7e\u2026]{1,200}$/);
});

test('whatever is a name is made of the 64 characters alone', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 70 }), (text) => {
      const allowed = Array.from(text).every((character) => /[A-Za-z0-9_-]/.test(character));
      expect(isToolName(text)).toBe(allowed && text.length >= 1 && text.length <= 64);
    }),
  );
});

test('names that differ by case or by dash and underscore have one fold', () => {
  expect(foldToolName('Get-User')).toBe(foldToolName('get_user'));
  expect(foldToolName('get_user')).not.toBe(foldToolName('getuser'));
});
