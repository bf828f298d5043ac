import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodePieces, decodeText } from '../../test-support/recordings.ts';
import { collectResponse } from '../event/collect-response.ts';
import { createEventOrder } from '../event/event-order.ts';
import type { ModelEvent } from '../event/model-event.ts';
import { gemini } from './gemini.ts';

type Data = Readonly<Record<string, unknown>>;

/** The stream with one event for each of these calls, and the reason at its end. */
function streamOf(calls: readonly Data[], finishReason = 'STOP', more: Data = {}): string {
  const events = calls.map((functionCall, index) => ({
    candidates: [
      {
        content: { role: 'model', parts: [{ functionCall, ...(index === 0 ? more : {}) }] },
        ...(index === calls.length - 1 ? { finishReason } : {}),
      },
    ],
  }));
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
}

function read(calls: readonly Data[], finishReason?: string): readonly ModelEvent[] {
  const events = decodeText(gemini, streamOf(calls, finishReason));
  const order = createEventOrder();
  for (const event of events) order.push(event);
  order.end();
  return events;
}

const callsOf = (events: readonly ModelEvent[]) =>
  events.flatMap((event) => (event.kind === 'call-end' ? [[event.name, event.arguments]] : []));

const begin = { name: 'light', willContinue: true };
const piece = (...partialArgs: readonly Data[]): Data => ({ partialArgs, willContinue: true });

describe('a call that comes in pieces', () => {
  test.each<[string, readonly Data[], string]>([
    [
      'values of every kind',
      [
        begin,
        piece({ jsonPath: '$.brightness', numberValue: 50.5 }),
        piece({ jsonPath: '$.on', boolValue: false }, { jsonPath: '$.timer', nullValue: 'NULL_VALUE' }),
        piece({ jsonPath: '$.colour', stringValue: '' }),
        {},
      ],
      '{"brightness":50.5,"on":false,"timer":null,"colour":""}',
    ],
    [
      'a text in pieces',
      [
        begin,
        piece({ jsonPath: '$.place', stringValue: 'New', willContinue: true }),
        piece({ jsonPath: '$.place', stringValue: ' De', willContinue: true }),
        piece({ jsonPath: '$.place', stringValue: 'lhi 😀' }),
        {},
      ],
      '{"place":"New Delhi 😀"}',
    ],
    [
      'places inside of lists and objects',
      [
        begin,
        piece({ jsonPath: '$.steps[0].name', stringValue: 'a' }),
        piece(
          { jsonPath: '$.steps[0].at[0]', numberValue: 1 },
          { jsonPath: '$.steps[0].at[1]', numberValue: 2 },
        ),
        piece({ jsonPath: '$.steps[1].name', stringValue: 'b' }),
        {},
      ],
      '{"steps":[{"name":"a","at":[1,2]},{"name":"b"}]}',
    ],
    [
      'names in quotes',
      [
        begin,
        piece({ jsonPath: "$['a.b']", numberValue: 1 }, { jsonPath: '$["c\\"d"]', numberValue: 2 }),
        piece({ jsonPath: "$['it\\'s \"it\"']['\\\\']", numberValue: 3 }),
        {},
      ],
      '{"a.b":1,"c\\"d":2,"it\'s \\"it\\"":{"\\\\":3}}',
    ],
    [
      'empty lists and objects',
      [begin, piece({ jsonPath: '$.list[]' }, { jsonPath: '$.map' }, { jsonPath: '$' }), {}],
      '{"list":[],"map":{}}',
    ],
    ['a last piece that ends it', [begin, { partialArgs: [{ jsonPath: '$.a', numberValue: 1 }] }], '{"a":1}'],
    [
      'a last piece that ends it, and an end',
      [begin, { partialArgs: [{ jsonPath: '$.a', numberValue: 1 }] }, {}],
      '{"a":1}',
    ],
    [
      'everything in one part',
      [{ name: 'light', partialArgs: [{ jsonPath: '$.a', numberValue: 1 }] }],
      '{"a":1}',
    ],
    ['no arguments', [begin, {}], '{}'],
  ])('of %s is one call', (_, calls, text) => {
    const events = read(calls);
    expect(callsOf(events)).toEqual([['light', text]]);
    expect(events.at(-1)).toMatchObject({ kind: 'response-end', finish: 'tool-calls' });
  });

  test('has the members that it was given, whatever their names are', () => {
    const events = read([begin, piece({ jsonPath: "$['__proto__'].admin", boolValue: true }), {}]);
    expect(callsOf(events)).toEqual([['light', '{"__proto__":{"admin":true}}']]);
  });

  test('keeps its id and its signature, and its place before what came after it', () => {
    const parts = [
      { functionCall: { ...begin, id: 'fc_1' }, thoughtSignature: 'c2ln' },
      { text: 'Now.' },
      { functionCall: {} },
    ];
    const events = decodeText(
      gemini,
      `data: ${JSON.stringify({ candidates: [{ content: { parts }, finishReason: 'STOP' }] })}\n\n`,
    );
    expect(collectResponse(events).items).toMatchObject([
      { kind: 'tool-call', callId: 'fc_1', arguments: '{}', signature: { value: 'c2ln' } },
      { kind: 'message', parts: [{ text: 'Now.' }] },
    ]);
  });

  test('stays apart from others, by its id or one after the other', () => {
    const on = (id: string, at: number): Data => ({
      id,
      partialArgs: [{ jsonPath: '$.at', numberValue: at }],
      willContinue: true,
    });
    const byId = read([
      { ...begin, id: 'a' },
      { ...begin, id: 'b' },
      on('b', 2),
      on('a', 1),
      { id: 'a' },
      { id: 'b' },
    ]);
    expect(collectResponse(byId).items).toMatchObject([
      { callId: 'a', arguments: '{"at":1}' },
      { callId: 'b', arguments: '{"at":2}' },
    ]);
    const inTurn = read([begin, {}, { name: 'whole', args: { a: 1 } }, { ...begin, name: 'other' }, {}]);
    expect(callsOf(inTurn)).toEqual([
      ['light', '{}'],
      ['whole', '{"a":1}'],
      ['other', '{}'],
    ]);
  });

  test.each(['STOP', 'MAX_TOKENS'])('that nobody ended is not finished by %s', (reason) => {
    const events = read([begin, piece({ jsonPath: '$.a', numberValue: 1 })], reason);
    expect(callsOf(events)).toEqual([]);
    const response = collectResponse(events);
    expect(response.incomplete).toHaveLength(1);
    expect(response.finish).toBe(reason === 'STOP' ? 'unknown' : 'length');
  });

  test('that was ended is not finished when the answer was cut off', () => {
    const response = collectResponse(read([begin, {}], 'MAX_TOKENS'));
    expect(response).toMatchObject({ finish: 'length', incomplete: [expect.any(String)] });
  });

  test('gives equal events in pieces of every size', () => {
    const text = streamOf([begin, piece({ jsonPath: '$.a', stringValue: '你', willContinue: true }), {}]);
    const bytes = new TextEncoder().encode(text);
    const whole = decodePieces(gemini, [bytes]);
    const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
    expect(decodePieces(gemini, single)).toEqual(whole);
  });
});

describe('pieces that contradict themselves fail the answer', () => {
  const twice = { jsonPath: '$.a', numberValue: 1 };
  test.each<[string, readonly Data[]]>([
    ['a value twice', [begin, piece(twice), piece(twice), {}]],
    [
      'a text that had ended',
      [begin, piece({ jsonPath: '$.a', stringValue: 'x' }, { jsonPath: '$.a', stringValue: 'y' })],
    ],
    ['a member of a value', [begin, piece(twice, { jsonPath: '$.a.b', numberValue: 1 })]],
    [
      'an item of an object',
      [begin, piece({ jsonPath: '$.a.b', numberValue: 1 }, { jsonPath: '$.a[0]', numberValue: 1 })],
    ],
    ['a gap in a list', [begin, piece({ jsonPath: '$.a[1]', numberValue: 1 })]],
    ['a huge place', [begin, piece({ jsonPath: '$.a[4294967295]', numberValue: 1 })]],
    ['a root that is a value', [begin, piece({ jsonPath: '$', numberValue: 1 })]],
    ['a path with a choice', [begin, piece({ jsonPath: '$.a[*]', numberValue: 1 })]],
    ['a path that searches', [begin, piece({ jsonPath: '$..a', numberValue: 1 })]],
    ['a negative place', [begin, piece({ jsonPath: '$.a[-1]', numberValue: 1 })]],
    ['no path', [begin, piece({ numberValue: 1 })]],
    ['a path from nowhere', [begin, piece({ jsonPath: 'a', numberValue: 1 })]],
    ['a path without end', [begin, piece({ jsonPath: `$${'.a'.repeat(65)}`, numberValue: 1 })]],
    ['two values', [begin, piece({ jsonPath: '$.a', numberValue: 1, stringValue: 'x' })]],
    ['a text for a number', [begin, piece({ jsonPath: '$.a', numberValue: '1' })]],
    ['a piece that is no object', [begin, { partialArgs: ['x'], willContinue: true }]],
    ['pieces that are no list', [begin, { partialArgs: {}, willContinue: true }]],
    ['pieces of no call', [piece(twice)]],
    [
      'pieces of another call',
      [
        { ...begin, id: 'a' },
        { ...piece(twice), id: 'b' },
      ],
    ],
    ['pieces of one of two', [begin, { ...begin, name: 'other' }, piece(twice)]],
    ['whole arguments beside pieces', [{ ...begin, args: { a: 1 } }]],
    ['more open calls than anybody makes', Array.from({ length: 129 }, () => begin)],
  ])('%s', (_, calls) => {
    const events = read(calls);
    expect(events.at(-1)).toMatchObject({ kind: 'response-error', code: 'model/stream-invalid' });
    expect(callsOf(events)).toEqual([]);
  });

  test('and so does more than the bound allows', () => {
    const decoder = gemini.decodeStream({ maxTotalLength: 10_000 });
    const bytes = (call: Data) =>
      new TextEncoder().encode(
        `data: ${JSON.stringify({ candidates: [{ content: { parts: [{ functionCall: call }] } }] })}\n\n`,
      );
    let last = decoder.push(bytes(begin)).at(-1);
    for (let at = 0; at < 1000 && last?.kind !== 'response-error'; at += 1)
      last = decoder.push(bytes(piece({ jsonPath: `$.m${at}`, boolValue: true }))).at(-1);
    expect(last).toMatchObject({ code: 'model/response-too-large' });
  });
});

test('any arguments told piece by piece are those arguments', () => {
  const leaf = fc.oneof(
    fc.string(),
    fc.boolean(),
    fc.constant(null),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { weight: 3, arbitrary: leaf },
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.string({ unit: 'grapheme', maxLength: 6 }), tie('value'), { maxKeys: 3 }),
    ),
  }));
  const tell = (told: unknown, path: string): readonly Data[] => {
    if (typeof told === 'string') {
      const half = Math.floor(told.length / 2);
      const [one, two] = [told.slice(0, half), told.slice(half)];
      if (!one.isWellFormed()) return [{ jsonPath: path, stringValue: told }];
      return [
        { jsonPath: path, stringValue: one, willContinue: true },
        { jsonPath: path, stringValue: two },
      ];
    }
    if (typeof told === 'number') return [{ jsonPath: path, numberValue: told }];
    if (typeof told === 'boolean') return [{ jsonPath: path, boolValue: told }];
    if (told === null || told === undefined) return [{ jsonPath: path, nullValue: 'NULL_VALUE' }];
    if (Array.isArray(told)) {
      if (told.length === 0) return [{ jsonPath: `${path}[]` }];
      return told.flatMap((item, at) => tell(item, `${path}[${at}]`));
    }
    const members = Object.entries(told);
    if (members.length === 0) return [{ jsonPath: path }];
    return members.flatMap(([name, member]) => tell(member, `${path}[${JSON.stringify(name)}]`));
  };
  fc.assert(
    fc.property(fc.dictionary(fc.string({ maxLength: 6 }), value, { maxKeys: 4 }), (args) => {
      const plain = JSON.parse(JSON.stringify(args));
      const events = read([begin, ...tell(plain, '$').map((one) => piece(one)), {}]);
      const [[, text] = []] = callsOf(events);
      expect(JSON.parse(text ?? 'null')).toEqual(plain);
    }),
    { numRuns: 200 },
  );
});
