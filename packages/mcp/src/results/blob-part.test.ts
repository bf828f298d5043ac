import { createRedactor } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import { callerOf, mountScript, textOf } from '../../test-support/mount-fixture.ts';
import { plainTool } from '../../test-support/scripted-server.ts';
import { blobPart } from './blob-part.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('the bytes of a resource are', () => {
  test.each([
    'text/plain',
    'TEXT/X-CSharp; charset=utf-8',
    'application/json',
    'application/vnd.api+json',
    'image/svg+xml',
    'application/x-yaml',
  ])('a text where they are of the type %s', (type) => {
    const expected = type.startsWith('image/') ? undefined : { kind: 'text', text: '{"é":1}' };
    expect(blobPart(base64('{"é":1}'), type)).toEqual(expected);
  });

  test.each([
    ['image/png', 'image'],
    ['Image/JPEG', 'image'],
    ['audio/wav', 'audio'],
  ])('what a model sees or hears where they are of the type %s', (type, kind) => {
    expect(blobPart('AA\nAA', type)).toEqual({ kind, mediaType: type.toLowerCase(), data: 'AAAA' });
  });

  test.each([
    ['of another type', 'AAAA', 'application/pdf'],
    ['of a picture that models do not see', 'AAAA', 'image/tiff'],
    ['of no type', base64('a'), ''],
    ['called text and no UTF-8', Buffer.from([0xff, 0xfe, 0x41]).toString('base64'), 'text/plain'],
    ['called text and no base64', 'a-b_', 'text/plain'],
  ])('a file where they are %s', (_what, data, type) => {
    expect(blobPart(data, type)).toBeUndefined();
  });
});

describe('a resource of a tool', () => {
  const resultOf = async (resource: object, config = {}) => {
    const content = [{ type: 'resource', resource: { uri: 'file:///a', ...resource } }];
    const { mount } = await mountScript({ tools: [plainTool('work')], call: () => ({ content }) });
    return (await callerOf(mount, config))('work');
  };

  test('that is a text in bytes is read, cut and redacted as one', async () => {
    const resource = { blob: base64('the key is hunter2hunter2'), mimeType: 'text/plain' };
    const redact = createRedactor({ secrets: ['hunter2hunter2'] });
    const outcome = await resultOf(resource, { redact });
    expect(outcome).toMatchObject({
      output: {
        parts: [{ kind: 'file', mediaType: 'text/plain', uri: 'file:///a', text: expect.any(String) }],
      },
    });
    expect(textOf(outcome)).toMatch(/^the key is .*redacted/);
  });

  test('that is a picture is one, and one that is none is named', async () => {
    const png =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    expect(await resultOf({ blob: png, mimeType: 'image/png' })).toMatchObject({
      output: { parts: [{ kind: 'image', mediaType: 'image/png', data: png }] },
    });
    expect(textOf(await resultOf({ blob: base64('<html>'), mimeType: 'image/png' }))).toBe(
      '[resource left out: it is malformed or of an unknown kind]',
    );
  });
});
