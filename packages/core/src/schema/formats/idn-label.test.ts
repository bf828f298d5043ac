import { describe, expect, test } from 'vitest';
import { isIdnLabel } from './idn-label.ts';
import { decodePunycode } from './punycode.ts';

const isLabel = (text: string): boolean =>
  isIdnLabel(Array.from(text, (character) => character.codePointAt(0) ?? 0));

describe('isIdnLabel', () => {
  test.each([
    ['letters of one script', 'bücher'],
    ['a letter that is an exception', 'straße'],
    ['a final sigma', 'ος'],
    ['a middle dot between l', 'l·l'],
    ['a Greek keraia before Greek', 'α͵β'],
    ['a Hebrew geresh after Hebrew', 'א׳ב'],
    ['a Hebrew gershayim after Hebrew', 'א״ב'],
    ['a Katakana middle dot with Hiragana', '・ぁ'],
    ['Arabic-Indic digits', 'ب\u0660'],
    ['Extended Arabic-Indic digits', '\u06f0a'],
    ['a joiner after a virama', 'क\u094d\u200dष'],
    ['a non-joiner after a virama', 'क\u094d\u200cष'],
    ['a non-joiner between letters that join', 'بي\u200cبي'],
    ['a non-joiner between letters that join, past marks', 'بي\u064e\u200c\u064eبي'],
  ])('accepts %s', (_name, text) => {
    expect(isLabel(text)).toBe(true);
  });

  test.each([
    ['ASCII only', 'abc'],
    ['capitals', 'Bücher'],
    ['a mark at the beginning', '\u0301a'],
    ['what is not normalised', 'bu\u0308cher'],
    ['hyphens at the third and fourth place', 'ab--ä'],
    ['a hyphen at the beginning', '-ä'],
    ['a hyphen at the end', 'ä-'],
    ['a symbol', '☃'],
    ['an underscore', 'ä_b'],
    ['full-width letters', 'ａä'],
    ['what is ignored by default', 'ä\u00ad'],
    ['a conjoining Hangul jamo', '\u1100ä'],
    ['a musical symbol', 'ä\u{1d165}'],
    ['an exception that is not allowed', 'a\u0640ä'],
    ['a middle dot elsewhere', 'a·l'],
    ['a middle dot at the end', 'l·'],
    ['a Greek keraia before something else', 'α͵a'],
    ['a Greek keraia at the end', 'α͵'],
    ['a Hebrew geresh after something else', 'a׳ב'],
    ['a Hebrew geresh at the beginning', '׳ב'],
    ['a Katakana middle dot alone', 'a・é'],
    ['both kinds of Arabic digits', 'ب\u0660\u06f0'],
    ['a joiner without a virama', 'क\u200dष'],
    ['a joiner at the beginning', '\u200dष'],
    ['a non-joiner between letters that do not join', 'a\u200cä'],
    ['a non-joiner after a letter that never joins to its left', 'بد\u200cبي'],
    ['a non-joiner at the beginning', '\u200cبي'],
  ])('refuses %s', (_name, text) => {
    expect(isLabel(text)).toBe(false);
  });
});

describe('decodePunycode', () => {
  test.each([
    ['bcher-kva', 'bücher'],
    ['wgv71a', '日本'],
    ['ls8h', '💩'],
    ['abc-', 'abc'],
    ['', ''],
  ])('decodes %j', (text, expected) => {
    const decoded = decodePunycode(text);
    expect(decoded === undefined ? undefined : String.fromCodePoint(...decoded)).toBe(expected);
  });

  test.each(['x', 'bcher-kv', 'a-!', 'a-99999999', 'ä'])('has no answer for %j', (text) => {
    expect(decodePunycode(text)).toBeUndefined();
  });
});
