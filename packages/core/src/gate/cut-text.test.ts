import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { utf8Bytes } from '../internal/utf8-bytes.ts';
import { cutText, NOTICE_BYTES } from './cut-text.ts';

describe('a cut text', () => {
  test('is the text itself when it fits', () => {
    expect(cutText('häßlich', 9)).toBe('häßlich');
    expect(cutText('', 0)).toBe('');
  });

  test('keeps beginning and end, and says how much is missing', () => {
    const cut = cutText(`${'a'.repeat(5_000)}${'z'.repeat(5_000)}`, 1_000);
    expect(cut).toMatch(/^a{678}\n\[\.\.\. 9096 of 10000 bytes left out \.\.\.\]\nz{226}$/);
  });

  test('gives only the notice when there is no room for more', () => {
    expect(cutText('abcdef', 3)).toBe('\n[... 6 of 6 bytes left out ...]\n');
  });

  test('fits, is well-formed, and loses exactly what it says', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'ß', '€', '\u{1F600}', '\n'), minLength: 60, maxLength: 300 }),
        fc.integer({ min: NOTICE_BYTES, max: 400 }),
        (text, maxBytes) => {
          const cut = cutText(text, maxBytes);
          const total = utf8Bytes(text);
          expect(utf8Bytes(cut)).toBeLessThanOrEqual(maxBytes);
          expect(cut.isWellFormed()).toBe(true);
          if (total <= maxBytes) return;
          const notice = /\n\[\.\.\. (\d+) of (\d+) bytes left out \.\.\.\]\n/.exec(cut);
          const [whole = '', left, of] = notice ?? [];
          expect(Number(of)).toBe(total);
          const [head = '', tail = ''] = cut.split(whole);
          expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
          expect(utf8Bytes(head) + utf8Bytes(tail) + Number(left)).toBe(total);
        },
      ),
    );
  });
});
