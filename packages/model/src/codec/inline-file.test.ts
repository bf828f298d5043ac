import type { JsonObject } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import type { MediaContent } from '../call/item.ts';
import { PROTOCOLS, type Protocol } from '../call/protocol.ts';
import { codecOf } from './codecs.ts';

const PIXEL = 'iVBORw0KGgo=';

function written(
  protocol: Protocol,
  part: MediaContent,
): { readonly text: string; readonly lost: readonly string[] } {
  const items = [{ kind: 'message', role: 'user', parts: [part] }] as const;
  const { losses, value } = codecOf(protocol).encodeRequest({ model: 'm', items });
  return {
    text: JSON.stringify(value.body['messages'] ?? value.body['input'] ?? value.body['contents']),
    lost: losses.filter(({ severity }) => severity === 'error').map(({ path }) => path),
  };
}

/** What a provider is sent for a part of a client of Chat Completions. */
function fromChat(protocol: Protocol, part: JsonObject): string {
  const call = codecOf('openai-chat').decodeRequest({
    model: 'm',
    messages: [{ role: 'user', content: [part] }],
  }).value;
  const [item] = call.items;
  const [media] = item?.kind === 'message' ? item.parts : [];
  if (media?.kind !== 'image' && media?.kind !== 'file') throw new Error('no media');
  return written(protocol, media).text;
}

const image = (url: string): JsonObject => ({ type: 'image_url', image_url: { url } });

describe.each(PROTOCOLS)('a picture for %s', (protocol) => {
  test.each([
    ['image/jpg', 'image/jpeg'],
    ['image/pjpeg', 'image/jpeg'],
    ['IMAGE/PNG', 'image/png'],
    ['image/png;charset=utf-8', 'image/png'],
    ['image/webp; name="a b.webp"', 'image/webp'],
  ])('of the type %s is there as %s', (mediaType, registered) => {
    const text = fromChat(protocol, image(`data:${mediaType};base64,${PIXEL}`));
    expect(text).toContain(registered);
    expect(text).toContain(PIXEL);
    expect(text).not.toContain('left out');
    if (registered !== mediaType) expect(text).not.toContain(mediaType);
  });

  test('under another name in the neutral form is there as well', () => {
    const { text } = written(protocol, {
      kind: 'image',
      source: { kind: 'base64', mediaType: 'image/jpg', data: PIXEL },
    });
    expect(text).toContain('image/jpeg');
  });
});

test('a picture that is written out and not encoded is never taken for an address', () => {
  const text = fromChat('gemini', image('data:image/svg+xml,%3Csvg%2F%3E'));
  expect(text).toContain(`{"inlineData":{"mimeType":"image/svg+xml","data":"${btoa('<svg/>')}"}}`);
  expect(fromChat('anthropic', image('data:image/svg+xml,%3Csvg%2F%3E'))).toContain('left out');
});

describe('a file of text', () => {
  const words = 'ä,b\n1,2';
  const data = Buffer.from(words).toString('base64');
  const file = (mediaType: string): MediaContent => ({
    kind: 'file',
    source: { kind: 'base64', mediaType, data },
    name: 'a.csv',
  });

  test.each(['text/plain', 'text/csv; charset=utf-8', 'application/json', 'application/ld+json'])(
    'of the type %s is read by a model of Anthropic and of Chat Completions',
    (mediaType) => {
      for (const protocol of ['anthropic', 'openai-chat'] as const) {
        const { lost, text } = written(protocol, file(mediaType));
        expect(text).toContain(JSON.stringify(words).slice(1, -1));
        expect(lost).toEqual([]);
      }
      expect(written('anthropic', file(mediaType)).text).toContain('"title":"a.csv"');
    },
  );

  test('goes as a file to those who take it', () => {
    expect(written('openai-responses', file('text/csv')).text).toContain(`data:text/csv;base64,${data}`);
    expect(written('gemini', file('text/csv')).text).toContain(data);
  });

  test.each([
    ['is no text', Buffer.from([0xff, 0xfe, 0x00]).toString('base64')],
    ['is no base64', '%%%'],
  ])('leaves a note where it %s', (_, broken) => {
    const part: MediaContent = {
      kind: 'file',
      source: { kind: 'base64', mediaType: 'text/plain', data: broken },
    };
    const { lost, text } = written('anthropic', part);
    expect(text).toContain('[file left out');
    expect(lost).toEqual(['/items/0/parts/0']);
  });
});

test.each([
  ['application/pdf', 'file.pdf'],
  ['application/x-pdf', 'file.pdf'],
  ['application/octet-stream', 'file'],
])(
  'a file of the type %s that has no name gets one for OpenAI, which refuses it otherwise',
  (mediaType, name) => {
    const part: MediaContent = { kind: 'file', source: { kind: 'base64', mediaType, data: PIXEL } };
    for (const protocol of ['openai-chat', 'openai-responses'] as const) {
      expect(written(protocol, part).text).toContain(`"filename":"${name}"`);
      expect(written(protocol, { ...part, name: 'mine.pdf' }).text).toContain('"filename":"mine.pdf"');
    }
  },
);
