import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { base64Spellings } from './base64-spellings.ts';
import { createRedactor } from './redactor.ts';

const SECRETS = [
  'correct horse battery staple',
  '>>>???~~~>>>???~~~',
  'pässwörd-mit-🙂-und-ß',
  'exactly12chr',
];
const redact = createRedactor({ secrets: SECRETS, credentials: false });
const base64 = (text: string, encoding: BufferEncoding = 'base64'): string =>
  Buffer.from(text).toString(encoding);

describe('a secret in base64', () => {
  test.each(SECRETS)('is found wherever it begins and whatever follows: %s', (secret) => {
    for (const before of ['', 'a', 'ab', 'abc', 'user:', '{"password":"']) {
      for (const after of ['', 'x', 'xy', '"}', '\n']) {
        const text = base64(before + secret + after);
        const spelled = [
          text,
          base64(before + secret + after, 'base64url'),
          JSON.stringify(text).replaceAll('/', '\\/'),
          encodeURIComponent(text),
        ];
        for (const written of spelled) {
          const { text: redacted, count } = redact(`x ${written} y`);
          expect(count).toBe(1);
          // No more is left of it than the bits beside whole characters.
          const left = redacted.replace('[redacted]', '').length - 4;
          expect(left).toBeLessThanOrEqual(
            written.length - Math.floor((Buffer.byteLength(secret) * 8 - 8) / 6),
          );
        }
      }
    }
  });

  test.each(['\n', '\r\n', '\\n', '\\\\r\\\\n', '\n    ', '\\n  '])(
    'is found where its lines are broken by %j, wherever that falls',
    (end) => {
      for (let before = 40; before < 60; before += 1) {
        const text = base64(`${'.'.repeat(before)}correct horse battery staple${'!'.repeat(90)}`);
        const broken = text.replace(/.{64}(?=.)/g, (line) => line + end);
        const { text: redacted, count } = redact(`-----\n${broken}\n----- and\nmore`);
        expect(count).toBe(1);
        expect(redacted).toMatch(/^-----\n[^-]*\[redacted\][^-]*\n----- and\nmore$/);
      }
    },
  );

  test('is not looked for by joining other lines, and none of them change', () => {
    const text = base64(`exactly12chr${'!'.repeat(200)}`).replace(/.{76}(?=.)/g, '$&\n');
    const other = base64('nothing to see here, '.repeat(20)).replace(/.{76}(?=.)/g, '$&\n');
    const { text: redacted, count } = redact(`${text}\n\n${other}\nword\nanother`);
    expect(count).toBe(1);
    expect(redacted).toBe(`${text.replace(/^.{16}/, '[redacted]')}\n\n${other}\nword\nanother`);
  });

  test('is looked for no more than its length allows', () => {
    expect(base64Spellings('elevenchars')).toEqual([]);
    expect(Math.min(...base64Spellings('exactly12chr').map(({ length }) => length))).toBeGreaterThanOrEqual(
      15,
    );
  });

  test('is not taken for there in other texts, or in base64 of them', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200, unit: 'binary' }), (text) => {
        fc.pre(!SECRETS.some((secret) => text.includes(secret)));
        for (const written of [text, base64(text), base64(text, 'base64url')])
          expect(redact(written)).toEqual({ text: written, count: 0 });
      }),
    );
    for (const near of ['correct horse battery stable', 'exactly12ch', 'Exactly12chr']) {
      expect(redact(base64(near)).count).toBe(0);
    }
  });

  test('leaves a whole credential that holds it to be replaced as one', () => {
    const both = createRedactor({ secrets: SECRETS });
    const basic = `Basic ${base64('user:correct horse battery staple')}`;
    expect(both(`Authorization: ${basic}`)).toEqual({ text: 'Authorization: Basic [redacted]', count: 1 });
    const token = `${base64('{"alg":"HS256"}', 'base64url')}.${base64('{"mail":"a@b.example","key":"exactly12chr"}', 'base64url')}.c2lnbmF0dXJl`;
    expect(both(token)).toEqual({ text: '[redacted]', count: 1 });
  });
});
