import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readEntry, writeContents, writeEntry } from './json-entry.ts';
import { mendText } from './mend-text.ts';

/** The same by looking at each text. */
function mended(value: unknown, maxLength: number): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'string' ? mendText(member, Math.min(member.length, maxLength)) : member,
  );
}

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('\0', '\n', '\t', '"', '\\', 'u', '\x7f', '\ud800', '\uffff', 'ü', 'a'),
  }),
  fc.nat(10_000).map((length) => 'x'.repeat(length)),
);
const entry = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.oneof(text, fc.array(text), fc.integer()));

test('an entry is written as if each of its texts had been looked at', () => {
  fc.assert(
    fc.property(entry, (value) => {
      expect(writeEntry(value)).toBe(mended(value, 4_096));
    }),
    { numRuns: 500 },
  );
});

test('contents are written whole, and nothing for none', () => {
  fc.assert(
    fc.property(entry, (value) => {
      const written = writeContents(value);
      expect(written).toBe(Object.keys(value).length === 0 ? null : mended(value, Number.POSITIVE_INFINITY));
    }),
    { numRuns: 500 },
  );
  expect(writeContents({ arguments: undefined })).toBeNull();
});

test('both are read back as one', () => {
  const written = writeContents({ arguments: '{"a":1}' });
  expect(readEntry({}, writeEntry({ id: 'a' }), written)).toEqual({ id: 'a', arguments: '{"a":1}' });
});

test('what a column says need not be in the text, and the text is right where it says something else', () => {
  const columns = { id: 'a', tool: 'cut', route: null };
  expect(readEntry(columns, writeEntry({ tool: 'cut off' }), null)).toEqual({ id: 'a', tool: 'cut off' });
});
