import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GROWTH, growth } from '../../../../test/support/growth.ts';
import type { SseItem } from './sse-item.ts';
import { createSseParser, type SseParserOptions } from './sse-parser.ts';
import { writeSseComment, writeSseMessage } from './sse-writer.ts';

const utf8 = new TextEncoder();

function parse(chunks: readonly Uint8Array[], options?: SseParserOptions): readonly SseItem[] {
  const parser = createSseParser(options);
  const items = chunks.flatMap((chunk) => [...parser.push(chunk)]);
  return [...items, ...parser.end()];
}

function message(data: string, over: Partial<SseItem> = {}): object {
  return { kind: 'message', event: '', data, id: '', terminated: true, ...over };
}

const fault = (code: string) => ({ kind: 'fault', code });

const GRAMMAR: readonly [name: string, input: string, expected: readonly object[]][] = [
  ['LF', 'data: a\n\n', [message('a')]],
  ['CRLF', 'data:{"a":1}\r\n\r\n', [message('{"a":1}')]],
  ['CR', 'data: a\r\rdata: b\r\r', [message('a'), message('b')]],
  ['mixed line ends', 'data: x\r\n\rdata: y\n\r\n', [message('x'), message('y')]],
  ['one optional space only', 'data:  a \n\n', [message(' a ')]],
  ['no colon', 'data\n\n', [message('')]],
  ['several data lines', 'data: a\ndata:\ndata: b\n\n', [message('a\n\nb')]],
  ['comments', ': ping\n\n:x\ndata: a\n: y\n\n', [message('a')]],
  ['byte order mark', '\uFEFFdata: a\n\n', [message('a')]],
  ['a second byte order mark is part of the field name', '\uFEFF\uFEFFdata: a\n\n', []],
  ['unknown fields and retry', 'retry: 10\nfoo: 1\ndata: a\n\n', [message('a')]],
  [
    'event name',
    'event: error\ndata: a\n\ndata: b\n\n',
    [message('a', { event: 'error' } as object), message('b')],
  ],
  ['event without data is not dispatched', 'event: ping\n\ndata: a\n\n', [message('a')]],
  [
    'id persists',
    'id: 7\ndata: a\n\ndata: b\n\n',
    [message('a', { id: '7' } as object), message('b', { id: '7' } as object)],
  ],
  ['id with NUL is ignored', 'id: 7\0\ndata: a\n\n', [message('a')]],
  ['cut after the line', 'data: a\n', [message('a', { terminated: false } as object)]],
  ['cut inside the line', 'data: [DO', [message('[DO', { terminated: false } as object)]],
  ['cut after a comment', 'data: a\n\n: x', [message('a')]],
];

describe('grammar', () => {
  test.each(GRAMMAR)('%s', (_name, input, expected) => {
    expect(parse([utf8.encode(input)])).toEqual(expected);
  });
});

describe('events that come by themselves', () => {
  const pieces = ['data: a\n\n', 'data:  b\n\n', 'data: \n\n', 'data: c\r\n\n', 'id: 7\n\n', 'data: d\n\n'];

  test.each([
    ['one after the other', ''],
    ['behind a begun line', 'da'],
    ['behind a begun event', 'event: x\n'],
    ['behind half a line end', 'data: z\r'],
  ])('%s are read as if they came in one piece', (_name, before) => {
    const text = [before, ...pieces, 'data: e\n'];
    expect(parse(text.map((piece) => utf8.encode(piece)))).toEqual(parse([utf8.encode(text.join(''))]));
  });

  test('a bad byte right behind one ends the stream all the same', () => {
    expect(
      parse([new Uint8Array([...utf8.encode('data: a\n\n'), 0x80]), utf8.encode('data: b\n\n')]),
    ).toEqual([message('a'), fault('sse/bad-utf8')]);
  });

  test('one over the bound is none', () => {
    const options = { maxEventLength: 9 };
    expect(parse([utf8.encode('data: 1234\n\n')], options)).toEqual([fault('sse/event-too-large')]);
    expect(parse([utf8.encode('data: 123\n\n')], options)).toEqual([message('123')]);
  });
});

describe('faults', () => {
  const bad: readonly [string, readonly number[]][] = [
    ['a stray continuation byte', [0x80]],
    ['an overlong form', [0xc0, 0xaf]],
    ['an overlong three-byte form', [0xe0, 0x80, 0x80]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
    ['a point over U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
    ['a lead byte without its rest', [0xe4, 0xbd, 0x0a]],
    ['a byte that never occurs', [0xff]],
  ];

  test.each(bad)('%s ends the stream after the events before it, wherever it is cut', (_name, bytes) => {
    const input = Uint8Array.from([
      ...utf8.encode('data: 你\n\ndata: b'),
      ...bytes,
      ...utf8.encode('\n\ndata: c\n\n'),
    ]);
    for (let cut = 0; cut <= input.length; cut += 1) {
      const items = parse([input.subarray(0, cut), input.subarray(cut)]);
      expect(items).toEqual([message('你'), fault('sse/bad-utf8')]);
    }
  });

  test('an input that ends inside a character is a fault', () => {
    expect(parse([utf8.encode('data: a\n\ndata: 你').slice(0, -1)])).toEqual([
      message('a'),
      fault('sse/bad-utf8'),
    ]);
  });

  test('a line without an end is refused at the bound and not gathered', () => {
    const parser = createSseParser({ maxEventLength: 100 });
    const piece = utf8.encode('x'.repeat(40));
    expect(parser.push(piece)).toEqual([]);
    expect(parser.push(piece)).toEqual([]);
    expect(parser.push(piece)).toEqual([fault('sse/event-too-large')]);
    expect(parser.push(utf8.encode('\n\ndata: a\n\n'))).toEqual([]);
    expect(parser.end()).toEqual([]);
  });

  test('an event of many short lines is refused at the bound', () => {
    const input = utf8.encode(`data: a\n\n${'data: 0123456789\n'.repeat(20)}`);
    const items = parse([input], { maxEventLength: 100 });
    expect(items).toEqual([message('a'), fault('sse/event-too-large')]);
  });
});

describe('properties', () => {
  const line = fc.oneof(
    fc.constantFrom(
      'data: ',
      'data:',
      'data',
      'event: x',
      'id: 1',
      ': c',
      '',
      '你好 😀',
      '\uFEFF',
      'data: {"a":"é"}',
    ),
    fc.string({ unit: 'binary', maxLength: 8 }),
  );
  const stream = fc
    .array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r', '\n\n')), { maxLength: 12 })
    .map((lines) => lines.map(([text, end]) => text + end).join(''));

  test('any cut of any bytes gives the same items', () => {
    const bytes = fc.oneof(
      stream.map((text) => utf8.encode(text)),
      fc.tuple(stream, fc.uint8Array({ maxLength: 4 }), stream).map(([head, junk, tail]) => {
        return Uint8Array.from([...utf8.encode(head), ...junk, ...utf8.encode(tail)]);
      }),
    );
    fc.assert(
      fc.property(bytes, fc.array(fc.nat(200), { maxLength: 6 }), (input, cuts) => {
        const whole = parse([input], { maxEventLength: 40 });
        const at = [0, ...cuts.map((cut) => Math.min(cut, input.length)), input.length].sort((a, b) => a - b);
        const chunks = at.slice(1).map((end, index) => input.subarray(at[index], end));
        expect(parse(chunks, { maxEventLength: 40 })).toEqual(whole);
        const single = Array.from(input, (byte) => Uint8Array.of(byte));
        expect(parse(single, { maxEventLength: 40 })).toEqual(whole);
      }),
      { numRuns: 400 },
    );
  });

  test('what is written is read back', () => {
    const text = fc.string({ unit: 'binary' }).filter((value) => !value.includes('\r'));
    const name = fc.stringMatching(/^[a-z._]{0,8}$/);
    fc.assert(
      fc.property(fc.array(fc.record({ event: name, data: text })), (messages) => {
        const written = messages.map((one) => writeSseComment(one.data) + writeSseMessage(one)).join('');
        expect(parse([utf8.encode(written)])).toEqual(
          messages.map(({ event, data }) => ({ kind: 'message', event, data, id: '', terminated: true })),
        );
      }),
    );
  });
});

test('a carriage return in data is written as a line end and never splits an event', () => {
  expect(parse([utf8.encode(writeSseMessage({ data: 'a\rdata: b\r\nc' }))])).toEqual([
    message('a\ndata: b\nc'),
  ]);
});

test.each(['a\nb', 'a\rb', 'a\0'])('the event name %j is refused', (event) => {
  expect(() => writeSseMessage({ event, data: '' })).toThrow(
    expect.objectContaining({ code: 'model/options-invalid' }),
  );
});

test.each(['data:', 'data: ', 'data:a', 'x', 'id', ':'])(
  'an event of many lines costs no more than its length: %j',
  (line) => {
    const read = (size: number): void => {
      const parser = createSseParser();
      parser.push(utf8.encode(`data: {"id":"a",\n${`${line}\n`.repeat(size)}data: "b":1}\n\n`));
      parser.strays();
    };
    expect(growth(read, 1_000)).toBeLessThan(GROWTH * 4);
  },
);
