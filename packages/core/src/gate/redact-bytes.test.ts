import { describe, expect, test } from 'vitest';
import { toolOutput } from '../tool/make-output.ts';
import type { OutputPart } from '../tool/tool-output.ts';
import { redactOutput } from './redact-output.ts';
import { createRedactor, type Redactor } from './redactor.ts';

const redact = createRedactor({ secrets: ['hunter2'], credentials: false });
const base64 = (text: string, encoding: BufferEncoding = 'utf8'): string =>
  Buffer.from(text, encoding).toString('base64');
const fileOf = (mediaType: string, data: string, redactor: Redactor = redact) => {
  const output = toolOutput({ parts: [{ kind: 'file', mediaType, data }] });
  const { output: redacted, count } = redactOutput(output, redactor);
  const [part] = redacted.parts;
  if (part?.kind !== 'file' || part.data === undefined) throw new Error('no file');
  return { bytes: Buffer.from(part.data, 'base64'), data: part.data, count, same: redacted === output };
};

describe('a file in base64', () => {
  test.each([
    'text/plain',
    'text/csv; charset=utf-8',
    'application/json',
    'application/x-pem-file',
    'application/octet-stream',
  ])('of the type %s that is a text has no secret in it', (mediaType) => {
    const { bytes, count } = fileOf(mediaType, base64('\ufeffä "hunter2" 🙂 hunter2'));
    expect(bytes.toString()).toBe('\ufeffä "[redacted]" 🙂 [redacted]');
    expect(count).toBe(2);
  });

  test('of a long text has none at its end', () => {
    const long = 'ä'.repeat(200_001);
    expect(fileOf('text/plain', base64(`${long}hunter2`)).bytes.toString()).toBe(`${long}[redacted]`);
  });

  test('of text in another charset keeps each byte but those of the secret', () => {
    const { bytes, count } = fileOf(
      'text/plain; charset=windows-1252',
      base64('\xe4\x80 hunter2 \xff', 'latin1'),
    );
    expect(bytes.toString('latin1')).toBe('\xe4\x80 [redacted] \xff');
    expect(count).toBe(1);
  });

  const wide = (text: string, order: string): string => {
    const bytes = Buffer.from(text, 'utf16le');
    return (order === 'little' ? bytes : bytes.swap16()).toString('base64');
  };
  const narrow = (bytes: Buffer, order: string): string =>
    (order === 'little' ? Buffer.from(bytes) : Buffer.from(bytes).swap16()).toString('utf16le');

  test.each([
    ['little', '\ufeff'],
    ['big', '\ufeff'],
    ['little', ''],
    ['big', ''],
  ])('of text in UTF-16 with the %s end first and the mark "%s" has no secret in it', (order, mark) => {
    const text = `${mark}${'Line: ä 🙂 '.repeat(9_000)}hunter2 \ud800 `;
    const { bytes, count } = fileOf('application/octet-stream', wide(text, order));
    expect(narrow(bytes, order)).toBe(text.replace('hunter2', '[redacted]'));
    expect(count).toBe(1);
  });

  test.each([
    ['little', 'text/plain; charset=utf-16le', '秘密の本文'],
    ['big', 'text/csv; header=present; charset="UTF-16BE"', '秘密の本文'],
    ['little', 'text/plain;charset=utf-16', '秘密の本文'],
    ['little', 'text/plain', 'Name ── value\0\n　'],
    ['big', 'application/octet-stream', 'Name ── value\0\n　'],
  ])(
    'of text in UTF-16 with the %s end first, of the type %s, has no secret beside %j',
    (order, mediaType, words) => {
      const text = `${words}${'Line. '.repeat(20)}hunter2`;
      const beside = mediaType.includes('charset') ? words.repeat(200) : words;
      const { bytes, count } = fileOf(mediaType, wide(`${beside}${text}`, order));
      expect(narrow(bytes, order)).toBe(`${beside}${text.replace('hunter2', '[redacted]')}`);
      expect(count).toBe(1);
    },
  );

  test('of such a text keeps half a unit at its end, and another file all of its bytes', () => {
    const half = Buffer.concat([Buffer.from('\ufeffhunter2', 'utf16le'), Buffer.from([7])]);
    expect(fileOf('text/plain', half.toString('base64')).bytes.at(-1)).toBe(7);
    const sound = Buffer.from(Array.from({ length: 400 }, (_, at) => (at % 2 === 0 ? (at * 37) % 251 : 0)));
    expect(fileOf('application/octet-stream', sound.toString('base64')).same).toBe(true);
  });

  test('of such a text is written even where the redactor wrote what no byte is', () => {
    const redactor: Redactor = (text) => ({ text: text.replace('hunter2', '•••'), count: 1 });
    expect(fileOf('text/plain', base64('\xe4hunter2', 'latin1'), redactor).bytes.toString('latin1')).toBe(
      '\xe4???',
    );
    expect(fileOf('text/plain', base64('hunter2'), redactor).bytes.toString()).toBe('•••');
  });

  test.each([
    ['is no text', 'application/zip', base64('PK\x03\x04\xff\xfehunter2', 'latin1')],
    [
      'is none far behind its beginning',
      'application/zip',
      base64(`${'a'.repeat(10_000)}\xffhunter2`, 'latin1'),
    ],
    ['holds no secret', 'text/plain', base64('nothing here')],
    ['is written in another way than ours', 'text/plain', 'YR=='],
    ['is empty', 'text/plain', ''],
  ])('is the very same where it %s', (_, mediaType, data) => {
    const file = fileOf(mediaType, data);
    expect(file).toMatchObject({ data, count: 0, same: true });
  });
});

test.each<OutputPart>([
  { kind: 'image', mediaType: 'image/svg+xml', data: base64('<svg><text>hunter2</text></svg>') },
  { kind: 'image', mediaType: 'text/plain', data: base64('hunter2') },
  { kind: 'audio', mediaType: 'audio/wav', data: base64('hunter2') },
])('what is called something else and is a text is redacted, too: $mediaType', (part) => {
  const [redacted] = redactOutput(toolOutput({ parts: [part] }), redact).output.parts;
  const data = redacted !== undefined && 'data' in redacted ? String(redacted.data) : '';
  expect(Buffer.from(data, 'base64').toString()).toContain('[redacted]');
  expect(Buffer.from(data, 'base64').toString()).not.toContain('hunter2');
});
