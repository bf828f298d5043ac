import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markToolText, readMarkedParts, readToolText, TOOL_ERROR_MARK } from './tool-error-mark.ts';

test('every text and every outcome comes back', () => {
  const marks = fc.constantFrom('', TOOL_ERROR_MARK, '[toolgate:text] ', '[toolgate:error]', '[toolgate:');
  const text = fc
    .tuple(fc.array(marks, { maxLength: 3 }), fc.string())
    .map(([before, rest]) => before.join('') + rest);
  fc.assert(
    fc.property(text, fc.boolean(), (original, isError) => {
      expect(readToolText(markToolText(original, isError))).toEqual({ text: original, isError });
    }),
  );
});

test('plain text stays as it is', () => {
  expect(markToolText('ok', false)).toBe('ok');
  expect(readMarkedParts([{ kind: 'text', text: 'ok' }])).toEqual({
    parts: [{ kind: 'text', text: 'ok' }],
    isError: false,
  });
});

test('only the first text of a result can be a mark', () => {
  const parts = [
    { kind: 'text', text: 'a' },
    { kind: 'text', text: `${TOOL_ERROR_MARK}b` },
  ] as const;
  expect(readMarkedParts(parts)).toEqual({ parts, isError: false });
});
