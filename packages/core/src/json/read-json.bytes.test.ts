import { expect, test } from 'vitest';
import { JsonError } from './json-error.ts';
import { readJson } from './read-json.ts';

function refusal(bytes: Uint8Array): JsonError {
  try {
    readJson(bytes);
  } catch (error) {
    if (error instanceof JsonError) return error;
    throw error;
  }
  throw new Error(`accepted: ${bytes.toString()}`);
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

test.each([
  ['a broken sequence', [0x5b, 0x22, 0xff, 0x22, 0x5d], 'json/bad-utf8', 2, '/0'],
  ['a truncated sequence', [0x5b, 0x22, 0xe2, 0x82, 0x22, 0x5d], 'json/bad-utf8', 2, '/0'],
  ['an overlong sequence', [0x22, 0xc0, 0xaf, 0x22], 'json/bad-utf8', 1, ''],
  ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22], 'json/bad-utf8', 1, ''],
  ['a sequence beyond U+10FFFF', [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22], 'json/bad-utf8', 1, ''],
  [
    'a fault after characters of 2, 3 and 4 bytes',
    [0x22, ...utf8('é€😀'), 0x80, 0x22],
    'json/bad-utf8',
    5,
    '',
  ],
  ['an earlier fault', [0x5b, 0x78, 0xff], 'json/unexpected-token', 1, '/0'],
  ['a byte order mark', [0xef, 0xbb, 0xbf, 0x7b, 0x7d], 'json/bom', 0, ''],
  ['UTF-16 with a mark', [0xff, 0xfe, 0x7b, 0x00], 'json/bad-utf8', 0, ''],
  ['UTF-16 without a mark', [0x00, 0x7b, 0x00, 0x7d], 'json/unexpected-token', 0, ''],
] as const)('bytes with %s are refused by name and place', (_, values, code, offset, pointer) => {
  expect(refusal(Uint8Array.from(values))).toMatchObject({ code, offset, pointer });
});

test('a view into a larger buffer is read alone', () => {
  expect(readJson(utf8('xx[1]xx').subarray(2, 5))).toStrictEqual([1]);
  expect(readJson(Buffer.from('[2]'))).toStrictEqual([2]);
});
