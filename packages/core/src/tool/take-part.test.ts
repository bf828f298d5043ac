import { expect, test } from 'vitest';
import { takePart } from './take-part.ts';

const part = (raw: unknown) => takePart(raw, '/parts/0').part;

test('a part is a frozen copy of the members that are known', () => {
  const raw = { kind: 'image', mediaType: 'image/png', data: 'iVBORw0KGgoA', secret: 'x' };
  expect(part(raw)).toEqual({ kind: 'image', mediaType: 'image/png', data: 'iVBORw0KGgoA' });
  expect(Object.isFrozen(part(raw))).toBe(true);
  expect(
    part({ kind: 'resource-link', uri: 'u:', name: 'n', description: 'd', mediaType: 'a/b', x: 1 }),
  ).toEqual({
    kind: 'resource-link',
    uri: 'u:',
    name: 'n',
    description: 'd',
    mediaType: 'a/b',
  });
});

test('each member is read once', () => {
  let reads = 0;
  const raw = {
    kind: 'file',
    mediaType: 'a/b',
    get text() {
      reads += 1;
      return reads === 1 ? 'checked' : '\ud800';
    },
  };
  expect(part(raw)).toEqual({ kind: 'file', mediaType: 'a/b', text: 'checked' });
  expect(reads).toBe(1);
});

test.each([
  'image/png',
  'application/vnd.oai.openapi+json',
  'text/plain;charset=utf-8',
  'text/plain; charset=utf-8',
  'X/Y',
])('%s is a media type', (mediaType) => {
  expect(part({ kind: 'file', mediaType, data: '' })).toMatchObject({ mediaType });
});

test.each([
  '',
  'png',
  'image/',
  '/png',
  'image/png\r\nx: y',
  'image /png',
  'image/png;',
  `${'a'.repeat(200)}/b`,
  7,
  undefined,
])('%j is no media type', (mediaType) => {
  expect(() => part({ kind: 'image', mediaType, data: '' })).toThrow(
    expect.objectContaining({ code: 'tool/output-invalid', pointer: '/parts/0/mediaType' }),
  );
});

test.each(['', 'AA==', 'AAA=', 'AAAA', 'ab+/'])('%j is base64', (data) => {
  expect(part({ kind: 'file', mediaType: 'a/b', data })).toMatchObject({ data });
});

test.each([
  'A',
  'AA',
  'AAA',
  'A===',
  '====',
  'AA=A',
  'AAAA\n',
  ' AAA',
  'ab-_',
  'data:image/png;base64,AAAA',
  7,
  undefined,
])('%j is no base64', (data) => {
  expect(() => part({ kind: 'image', mediaType: 'a/b', data })).toThrow(
    expect.objectContaining({ code: 'tool/output-invalid', pointer: '/parts/0/data' }),
  );
});

const bad: readonly (readonly [string, unknown, string])[] = [
  ['another kind', { kind: 'video' }, '/parts/0/kind'],
  ['a kind of the wire', { type: 'text', text: 'x' }, '/parts/0/kind'],
  ['an inherited kind', { kind: 'toString' }, '/parts/0/kind'],
  ['a text that is no text', { kind: 'text', text: 7 }, '/parts/0/text'],
  ['JSON that has no JSON form', { kind: 'json', value: { a: 1n } }, '/parts/0/value/a'],
  ['a file with both contents', { kind: 'file', mediaType: 'a/b', text: '', data: '' }, '/parts/0/text'],
  ['a file without content', { kind: 'file', mediaType: 'a/b' }, '/parts/0/text'],
  ['a file name with a newline', { kind: 'file', mediaType: 'a/b', text: '', name: 'a\nb' }, '/parts/0/name'],
  ['a link without address', { kind: 'resource-link' }, '/parts/0/uri'],
  ['a link with an empty address', { kind: 'resource-link', uri: '' }, '/parts/0/uri'],
  ['a link with a huge address', { kind: 'resource-link', uri: 'u'.repeat(8_193) }, '/parts/0/uri'],
  [
    'a description with a terminal escape',
    { kind: 'resource-link', uri: 'u:', description: '\u001b[0m' },
    '/parts/0/description',
  ],
];

test.each(bad)('%s is refused by place', (_, raw, pointer) => {
  expect(() => part(raw)).toThrow(expect.objectContaining({ code: 'tool/output-invalid', pointer }));
});

test.each([
  ['nothing', undefined],
  ['null', null],
  ['text', 'text'],
  [
    'a getter that throws',
    {
      get kind(): never {
        throw new Error('x');
      },
    },
  ],
])('%s is no part', (_, raw) => {
  expect(() => part(raw)).toThrow(
    expect.objectContaining({ code: 'tool/output-invalid', pointer: '/parts/0' }),
  );
});
