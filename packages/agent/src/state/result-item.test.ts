import type { OutputPart } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import { toResultItem } from './result-item.ts';

const base64 = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('base64');
const PNG = base64('\x89PNG\r\n\x1a\n\0\0\0\rIHDR and more of a picture');
const JPEG = base64('\xff\xd8\xff');

function contentOf(part: OutputPart) {
  return toResultItem({ callId: 'a', name: 'shoot', kind: 'completed', reason: 'completed', parts: [part] })
    .parts[0];
}

describe('a file of a result', () => {
  test.each([
    ['image/png', PNG, 'image/png'],
    ['image/jpg', JPEG, 'image/jpeg'],
    ['image/jpeg', PNG, 'image/png'],
    ['application/octet-stream', PNG, 'image/png'],
  ])('of the type %s that is a picture is shown as one', (mediaType, data, shown) => {
    expect(contentOf({ kind: 'file', mediaType, data, name: 'shot' })).toEqual({
      kind: 'image',
      source: { kind: 'base64', mediaType: shown, data },
      name: 'shot',
    });
  });

  test.each([
    ['application/pdf', base64('%PDF-1.7')],
    ['image/png', base64('<!DOCTYPE html><title>502</title>')],
    ['image/svg+xml', base64('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['image/png', ''],
  ])('of the type %s that is none stays a file', (mediaType, data) => {
    expect(contentOf({ kind: 'file', mediaType, data })).toEqual({
      kind: 'file',
      source: { kind: 'base64', mediaType, data },
    });
  });

  test('of text stays a file, whatever it is called', () => {
    expect(contentOf({ kind: 'file', mediaType: 'image/png', text: 'a' })).toEqual({
      kind: 'file',
      source: { kind: 'text', mediaType: 'image/png', text: 'a' },
    });
  });
});
