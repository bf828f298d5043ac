import { describe, expect, test } from 'vitest';
import { pictureType } from './picture-type.ts';
import { takePart } from './take-part.ts';

const base64 = (...bytes: readonly (string | number)[]): string =>
  btoa(bytes.map((part) => (typeof part === 'number' ? String.fromCharCode(part) : part)).join(''));

const PICTURES: readonly (readonly [string, string])[] = [
  ['image/png', base64(0x89, 'PNG\r\n', 0x1a, '\n', 0, 0, 0, 13, 'IHDR')],
  ['image/jpeg', base64(0xff, 0xd8, 0xff, 0xe0, 0, 16, 'JFIF')],
  ['image/jpeg', base64(0xff, 0xd8, 0xff)],
  ['image/gif', base64('GIF87a', 1, 0)],
  ['image/gif', base64('GIF89a')],
  ['image/webp', base64('RIFF', 0x24, 0, 0, 0, 'WEBPVP8 ')],
  ['image/webp', base64('RIFF', 0xff, 0xff, 0xff, 0xff, 'WEBP')],
];
const OTHERS: readonly (readonly [string, string])[] = [
  ['a page of HTML', base64('<!DOCTYPE html><title>502</title>')],
  ['a drawing as text', base64('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['a sound of the same container', base64('RIFF', 1, 2, 3, 4, 'WAVEfmt ')],
  ['zeros', base64(0, 0, 0)],
  ['too few bytes', base64(0x89, 'PN')],
  ['a picture as base64 of base64', btoa(PICTURES[0]?.[1] ?? '')],
];
const taken = (mediaType: string, data: string) => takePart({ kind: 'image', mediaType, data }, '/parts/0');

describe('a picture', () => {
  test.each(PICTURES)('of %s is told by its bytes, whatever it is called', (mediaType, data) => {
    for (const [declared] of [...PICTURES, ['image/jpg'], ['image/avif'], ['x/y']]) {
      const { part, text } = taken(String(declared), data);
      expect(part).toEqual({ kind: 'image', mediaType, data });
      expect(text).toBe(`[image ${mediaType}]`);
    }
  });

  test('keeps a media type that is right as it was written', () => {
    const [, png] = PICTURES[0] ?? ['', ''];
    expect(pictureType('image/png; name=a', png)).toBe('image/png; name=a');
    expect(pictureType('IMAGE/PNG', png)).toBe('IMAGE/PNG');
    expect(pictureType('image/gif; name=a', png)).toBe('image/png');
  });

  test.each(OTHERS)('whose bytes are %s is none, whichever type that is looked into it bears', (_, data) => {
    for (const declared of ['image/png', 'image/jpeg', 'image/JPG', 'image/gif; x=1', 'image/webp']) {
      expect(() => taken(declared, data)).toThrow(
        expect.objectContaining({ code: 'tool/output-invalid', pointer: '/parts/0/data' }),
      );
    }
  });

  test.each(OTHERS)('of a type that is not looked into is taken as it is: %s', (_, data) => {
    for (const declared of ['image/svg+xml', 'image/avif', 'x/y']) {
      expect(taken(declared, data).part).toEqual({ kind: 'image', mediaType: declared, data });
    }
  });

  test('without bytes is none, nor is such a sound', () => {
    for (const kind of ['image', 'audio']) {
      expect(() => takePart({ kind, mediaType: 'x/y', data: '' }, '/parts/0')).toThrow(
        expect.objectContaining({ code: 'tool/output-invalid', pointer: '/parts/0/data' }),
      );
    }
  });
});
