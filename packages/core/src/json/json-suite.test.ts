import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { report, sharedFolder, suiteFolder } from '../../../../test/support/suites.ts';
import { JsonError } from './json-error.ts';
import { readJson } from './read-json.ts';
import type { ReadJsonOptions } from './read-rules.ts';

/** `accepted`, or the code of the refusal. Anything but a JsonError fails the test. */
function verdict(text: string | Uint8Array, options?: ReadJsonOptions): string {
  try {
    readJson(text, options);
    return 'accepted';
  } catch (error) {
    if (JsonError.is(error)) return error.code;
    throw error;
  }
}

/** Files that RFC 8259 leaves to the parser, or that it accepts and I-JSON refuses, with what becomes of them here. */
const DECIDED: Readonly<Record<string, string>> = {
  'y_object_duplicated_key.json': 'json/duplicate-member',
  'y_object_duplicated_key_and_value.json': 'json/duplicate-member',
  'y_string_escaped_noncharacter.json': 'json/noncharacter',
  'y_string_last_surrogates_1_and_2.json': 'json/noncharacter',
  'y_string_nonCharacterInUTF-8_U+10FFFF.json': 'json/noncharacter',
  'y_string_nonCharacterInUTF-8_U+FFFF.json': 'json/noncharacter',
  'y_string_unicode_U+10FFFE_nonchar.json': 'json/noncharacter',
  'y_string_unicode_U+1FFFE_nonchar.json': 'json/noncharacter',
  'y_string_unicode_U+FDD0_nonchar.json': 'json/noncharacter',
  'y_string_unicode_U+FFFE_nonchar.json': 'json/noncharacter',
  'i_number_double_huge_neg_exp.json': 'accepted',
  'i_number_huge_exp.json': 'json/number-range',
  'i_number_neg_int_huge_exp.json': 'json/number-range',
  'i_number_pos_double_huge_exp.json': 'json/number-range',
  'i_number_real_neg_overflow.json': 'json/number-range',
  'i_number_real_pos_overflow.json': 'json/number-range',
  'i_number_real_underflow.json': 'accepted',
  'i_number_too_big_neg_int.json': 'json/inexact-integer',
  'i_number_too_big_pos_int.json': 'accepted',
  'i_number_very_big_negative_int.json': 'json/inexact-integer',
  'i_object_key_lone_2nd_surrogate.json': 'json/lone-surrogate',
  'i_string_1st_surrogate_but_2nd_missing.json': 'json/lone-surrogate',
  'i_string_1st_valid_surrogate_2nd_invalid.json': 'json/lone-surrogate',
  'i_string_UTF-16LE_with_BOM.json': 'json/bad-utf8',
  'i_string_UTF-8_invalid_sequence.json': 'json/bad-utf8',
  'i_string_UTF8_surrogate_U+D800.json': 'json/bad-utf8',
  'i_string_incomplete_surrogate_and_escape_valid.json': 'json/lone-surrogate',
  'i_string_incomplete_surrogate_pair.json': 'json/lone-surrogate',
  'i_string_incomplete_surrogates_escape_valid.json': 'json/lone-surrogate',
  'i_string_invalid_lonely_surrogate.json': 'json/lone-surrogate',
  'i_string_invalid_surrogate.json': 'json/lone-surrogate',
  'i_string_invalid_utf-8.json': 'json/bad-utf8',
  'i_string_inverted_surrogates_U+1D11E.json': 'json/lone-surrogate',
  'i_string_iso_latin_1.json': 'json/bad-utf8',
  'i_string_lone_second_surrogate.json': 'json/lone-surrogate',
  'i_string_lone_utf8_continuation_byte.json': 'json/bad-utf8',
  'i_string_not_in_unicode_range.json': 'json/bad-utf8',
  'i_string_overlong_sequence_2_bytes.json': 'json/bad-utf8',
  'i_string_overlong_sequence_6_bytes.json': 'json/bad-utf8',
  'i_string_overlong_sequence_6_bytes_null.json': 'json/bad-utf8',
  'i_string_truncated-utf-8.json': 'json/bad-utf8',
  'i_string_utf16BE_no_BOM.json': 'json/unexpected-token',
  'i_string_utf16LE_no_BOM.json': 'json/unexpected-token',
  'i_structure_500_nested_arrays.json': 'json/too-deep',
  'i_structure_UTF-8_BOM_empty_object.json': 'json/bom',
};

const suite = suiteFolder('json');
const shared = sharedFolder();

test('the public parsing suite gets the verdicts that were decided', () => {
  if (suite === undefined) return report('JSONTestSuite: not found, nothing of it ran; own cases only');
  const folder = join(suite, 'test_parsing');
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const wrong = files.flatMap((name) => {
    const found = verdict(readFileSync(join(folder, name)));
    const right =
      DECIDED[name] ?? (name.startsWith('y_') ? 'accepted' : name.startsWith('n_') ? 'refused' : '?');
    const same = right === 'refused' ? found !== 'accepted' : found === right;
    return same ? [] : [`${name}: ${found}, not ${right}`];
  });
  report(`JSONTestSuite: ${files.length - wrong.length} of ${files.length} files as decided`);
  expect(wrong).toStrictEqual([]);
  expect(Object.keys(DECIDED).filter((name) => !files.includes(name))).toStrictEqual([]);
  expect(files.length).toBeGreaterThan(300);
});

/** One case of the shared I-JSON collection. Its codes have older names. */
interface SharedCase {
  readonly name: string;
  readonly text?: string;
  readonly parts?: readonly (readonly [piece: string, times: number])[];
  readonly base64?: string;
  readonly expect: 'accept' | 'reject';
  readonly code?: string;
  readonly acceptedWith?: keyof typeof PERMISSIONS;
  readonly options?: ReadJsonOptions;
}

const PERMISSIONS = {
  allowForbiddenMembers: { forbiddenMembers: 'allow' },
  allowInexactIntegers: { inexactIntegers: 'allow' },
  allowNoncharacters: { noncharacters: 'allow' },
} as const satisfies Readonly<Record<string, ReadJsonOptions>>;

const RENAMED: Readonly<Record<string, string>> = { 'json/number-inexact': 'json/inexact-integer' };

/** Cases held to be wrong, with the right verdict. */
const CORRECTED: Readonly<Record<string, string>> = {
  // An escape must not let through what is refused when it is written plainly; see `key_proto_object`.
  key_proto_escaped: 'json/forbidden-member',
};

/** Codes by the beginning of a case's name, where the case itself names none. */
const BY_NAME: readonly (readonly [begin: string, code: string])[] = [
  ['dup_proto', 'json/forbidden-member'],
  ['dup_', 'json/duplicate-member'],
  ['num_overflow', 'json/number-range'],
  ['num_plus', 'json/unexpected-token'],
  ['num_bare_dot', 'json/unexpected-token'],
  ['num_hex', 'json/unexpected-token'],
  ['num_nan', 'json/unexpected-token'],
  ['num_underscore', 'json/unexpected-token'],
  ['num_', 'json/bad-number'],
  ['str_raw_lone', 'json/lone-surrogate'],
  ['str_raw_', 'json/control-character'],
  ['str_bad_escape', 'json/bad-escape'],
  ['str_short_u', 'json/bad-escape'],
  ['str_single_quotes', 'json/unexpected-token'],
  ['str_unterminated', 'json/unexpected-end'],
  ['str_', 'json/lone-surrogate'],
  ['trailing_comma', 'json/unexpected-token'],
  ['trailing_', 'json/trailing-data'],
  ['comment_line', 'json/trailing-data'],
  ['truncated_', 'json/unexpected-end'],
  ['empty_text', 'json/unexpected-end'],
  ['only_whitespace', 'json/unexpected-end'],
  ['bom_text', 'json/bom'],
  ['utf8_bom_bytes', 'json/bom'],
  ['utf16be_no_bom', 'json/unexpected-token'],
  ['utf', 'json/bad-utf8'],
  ['depth_', 'json/too-deep'],
  ['', 'json/unexpected-token'],
];

function rightVerdict({ name, expect: verdictOnJson, code }: SharedCase): string | undefined {
  const corrected = CORRECTED[name];
  if (corrected !== undefined) return corrected;
  if (verdictOnJson === 'accept') return 'accepted';
  if (code !== undefined) return RENAMED[code] ?? code;
  return BY_NAME.find(([begin]) => name.startsWith(begin))?.[1];
}

test('the shared I-JSON cases are right, by code', () => {
  if (shared === undefined) return report('I-JSON cases: not found, none of them ran; own cases only');
  const text = readFileSync(join(shared, 'data', 'ijson-cases.json'), 'utf8');
  const all = JSON.parse(text) as readonly SharedCase[];
  const wrong = all.flatMap((one) => {
    const input =
      one.base64 !== undefined ? Buffer.from(one.base64, 'base64') : (one.text ?? repeat(one.parts));
    const found = verdict(input, one.options);
    const allowed = one.acceptedWith && verdict(input, { ...one.options, ...PERMISSIONS[one.acceptedWith] });
    if (found === rightVerdict(one) && (allowed ?? 'accepted') === 'accepted') return [];
    return [`${one.name}: ${found} (${allowed ?? 'no option'}), not ${rightVerdict(one)}`];
  });
  report(`I-JSON cases: ${all.length - wrong.length} of ${all.length} right by code`);
  expect(wrong).toStrictEqual([]);
  expect(all.length).toBeGreaterThan(100);
});

function repeat(parts: SharedCase['parts']): string {
  return (parts ?? []).map(([piece, times]) => piece.repeat(times)).join('');
}
