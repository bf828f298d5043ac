import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analysePattern } from '../pattern/analyse-pattern.ts';
import { datePattern, timePattern } from './calendar.ts';
import { durationPattern } from './duration.ts';
import { dotString, quotedString } from './email.ts';
import { formatChecks } from './format-checks.ts';
import { labelPattern } from './hostname.ts';
import { ipv4Pattern } from './ip-address.ts';
import { uuidPattern } from './uuid.ts';

const check = (format: string, text: string): boolean | undefined => formatChecks.get(format)?.(text);

const accepted: Readonly<Record<string, readonly string[]>> = {
  'date-time': ['2024-02-29T00:00:00Z', '1998-12-31T15:59:60.5-08:00', '0000-01-01t00:00:00z'],
  date: ['2000-02-29', '0400-02-29', '9999-12-31'],
  time: ['23:59:60Z', '00:29:60-23:30', '12:00:00.000000001+14:00'],
  duration: ['P4DT12H30M5S', 'P2W', 'PT36H', 'P01D', `P${'9'.repeat(80)}D`],
  email: [
    'a@b',
    '"a@b\\" c"@example.com',
    'x@[127.0.0.1]',
    'x@[IPv6:::1]',
    `${'a'.repeat(64)}@b`,
    "o'neil+tag@xn--zca.example",
  ],
  hostname: ['localhost', 'a.b-c.d', '1host', `${'a'.repeat(63)}.com`, 'xn--ll-0ea', 'xn--4dbc5h'],
  ipv4: ['0.0.0.0', '255.255.255.255'],
  ipv6: ['::', '::1', '1::', '1:2:3:4:5:6:7:8', '::ffff:1.2.3.4', '1:2:3:4:5:6:1.2.3.4', '1:2:3:4:5:6:7::'],
  'json-pointer': ['', '/', '/a~0b~1', '//'],
  uri: [
    'a:',
    'http://u:p@[v1.x]:80/p?q#f',
    'urn:a:b',
    'http://[::1]/',
    'file:///x',
    'mailto:a@b?subject=%20',
  ],
  uuid: ['00000000-0000-0000-0000-000000000000', 'ABCDEFab-0000-f000-f000-000000000000'],
};

const refused: Readonly<Record<string, readonly string[]>> = {
  'date-time': [
    '2024-02-29 00:00:00Z',
    '2023-02-29T00:00:00Z',
    '2024-01-01T00:00:00',
    '2024-01-01T24:00:00Z',
  ],
  date: ['1900-02-29', '2024-13-01', '2024-00-10', '2024-1-1', '2024-01-01\n', '+2024-01-01'],
  time: ['23:58:60Z', '24:00:00Z', '12:00:00', '12:00:00.Z', '12:00:00+24:00', '12:00:00Z\n'],
  duration: ['P', 'PT', 'P1YT', 'P1Y2D', 'PT1H2S', 'P1Y2W', 'PT0.5S', '-P1D', 'P1D\n'],
  email: [
    '',
    '@b',
    'a@',
    'a b@c',
    '.a@b',
    'a..b@c',
    'a@b@c',
    'a@[1.2.3]',
    'a@[1.2.3.4',
    `a@${'b.'.repeat(130)}c`,
    'a@-b',
    `${'a'.repeat(65)}@b`,
    '"a"b"@c',
  ],
  hostname: [
    '',
    '.',
    'a.',
    '-a',
    'a-',
    'a_b',
    `${'a'.repeat(64)}`,
    `${'a.'.repeat(126)}ab`,
    'xn--X',
    'xn--abc-',
    'ä',
  ],
  ipv4: ['', '1.2.3', '1.2.3.4.5', '256.0.0.0', '01.2.3.4', '1.2.3.4\n', '0x7f.0.0.1', '1.2.3.-4'],
  ipv6: [
    '',
    ':',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7:8::',
    '::1%eth0',
    '1.2.3.4',
    '1.2.3.4::',
    '12345::',
  ],
  'json-pointer': ['a', '#/', '/~', '/~2', '/~~0'],
  uri: [
    '',
    ':',
    'abc',
    '//a/b',
    '1a:b',
    'a_b:c',
    'http://a b',
    'http://a/%',
    'http://a/%4g',
    'http://[::1',
    'http://a:x/',
    'http:/[x]',
    'a:b#c#d',
    'a:é',
  ],
  uuid: [
    '',
    '00000000-0000-0000-0000-00000000000',
    '{00000000-0000-0000-0000-000000000000}',
    '00000000-0000-0000-0000-00000000000g',
  ],
};

describe('each asserted format', () => {
  test.each(Object.entries(accepted))('%s accepts what its specification allows', (format, texts) => {
    expect(texts.filter((text) => check(format, text) !== true)).toEqual([]);
  });

  test.each(Object.entries(refused))('%s refuses what its specification rules out', (format, texts) => {
    expect(texts.filter((text) => check(format, text) !== false)).toEqual([]);
  });

  test('the tables cover every format', () => {
    const names = [...formatChecks.keys()].toSorted();
    expect(Object.keys(accepted).toSorted()).toEqual(names);
    expect(Object.keys(refused).toSorted()).toEqual(names);
  });

  test('no text makes a check throw', () => {
    const texts = fc.oneof(fc.string({ unit: 'binary', maxLength: 80 }), fc.string({ maxLength: 80 }));
    fc.assert(
      fc.property(fc.constantFrom(...formatChecks.values()), texts, (isFormat, text) => {
        expect(typeof isFormat(text)).toBe('boolean');
      }),
    );
  });
});

describe('formats with an independent source of truth', () => {
  test('every instant that JavaScript writes is a date-time, and its parts are a date and a time', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true }),
        (date) => {
          const text = date.toISOString();
          expect([
            check('date-time', text),
            check('date', text.slice(0, 10)),
            check('time', text.slice(11)),
          ]).toEqual([true, true, true]);
        },
      ),
    );
  });

  test('a date is accepted exactly when the calendar has it', () => {
    const day = fc.tuple(
      fc.integer({ min: 1000, max: 9999 }),
      fc.integer({ min: 0, max: 13 }),
      fc.integer({ min: 0, max: 32 }),
    );
    fc.assert(
      fc.property(day, ([year, month, dayOfMonth]) => {
        const two = (value: number): string => String(value).padStart(2, '0');
        const date = new Date(Date.UTC(year, month - 1, dayOfMonth));
        const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === dayOfMonth;
        expect(check('date', `${year}-${two(month)}-${two(dayOfMonth)}`)).toBe(exists);
      }),
    );
  });

  test('addresses, identifiers and web addresses from generators are accepted', () => {
    fc.assert(
      fc.property(
        fc.ipV4(),
        fc.ipV6(),
        fc.uuid(),
        fc.webUrl(),
        fc.domain(),
        (ipv4, ipv6, uuid, url, domain) => {
          expect([check('ipv4', ipv4), check('ipv6', ipv6), check('uuid', uuid)]).toEqual([true, true, true]);
          expect([check('uri', url), check('hostname', domain), check('email', `a@${domain}`)]).toEqual([
            true,
            true,
            true,
          ]);
        },
      ),
    );
  });

  test('labels that the platform encodes are accepted as hostnames', () => {
    const labels = ['bücher', 'παράδειγμα', 'ドメイン', '例え', 'пример', 'טעסט', 'كوم'];
    const encoded = labels.map((label) => new URL(`http://${label}`).hostname);
    expect(encoded.filter((label) => !label.startsWith('xn--') || check('hostname', label) !== true)).toEqual(
      [],
    );
  });
});

test.each(
  [
    datePattern,
    timePattern,
    durationPattern,
    dotString,
    quotedString,
    labelPattern,
    ipv4Pattern,
    uuidPattern,
  ].map((pattern) => [pattern.source]),
)('the regular expression %j is proved linear', (source) => {
  expect(analysePattern(source)).toEqual({ kind: 'linear' });
});
