import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonText } from './json-text.ts';
import { safeText } from './safe-text.ts';

const HOSTILE = [
  ['a colour', '\u001b[31mred'],
  ['a window title', '\u001b]0;owned\u0007'],
  ['a C1 control', '\u009b31m'],
  ['a carriage return', 'good\rbad!'],
  ['a line break', 'one\ntwo'],
  ['a right-to-left override', 'exe.\u202Etxt'],
  ['an isolate', '\u2066hidden'],
  ['a zero width space', 'ad\u200bmin'],
  ['a tag character', 'a\u{E0041}'],
  ['a line separator', 'a\u2028b'],
  ['a variation selector', 'a\u{e0101}'],
  ['a filler', 'a\u3164'],
  ['the blank of Braille', 'a\u2800b'],
  ['half a pair', 'a\ud800b'],
] as const;

const RAW = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

describe('text for a terminal', () => {
  test.each(HOSTILE)('%s is shown, not done', (_what, text) => {
    expect(safeText(text)).not.toMatch(RAW);
  });

  test('ordinary text of any language is left as it is', () => {
    for (const text of ['get_weather', 'größe', '天気', 'naïve ☃ 🚀', '']) expect(safeText(text)).toBe(text);
  });

  test('no text keeps a control, and none becomes longer than its escapes allow', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const shown = safeText(text, 50);
        expect(shown).not.toMatch(RAW);
        expect(shown.length).toBeLessThanOrEqual(50 * 10);
      }),
    );
  });

  test('what is too long ends with an ellipsis', () => {
    expect(safeText('abcdef', 4)).toBe('abc…');
    expect(safeText('abcd', 4)).toBe('abcd');
  });
});

describe('JSON for a terminal', () => {
  test.each(HOSTILE)('%s is escaped and reads back the same', (_what, text) => {
    const written = jsonText({ text });
    expect(written).not.toMatch(RAW);
    expect(JSON.parse(written)).toEqual({ text });
  });

  test('indented JSON keeps its own line breaks and reads back', () => {
    const value = { a: ['x\ny', '\u009b'], b: { c: 1 } };
    const written = jsonText(value, 2);
    expect(written.split('\n')).toHaveLength(9);
    expect(JSON.parse(written)).toEqual(value);
  });
});
