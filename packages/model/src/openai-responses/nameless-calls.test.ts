import type { JsonObject } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import { GROWTH, growth } from '../../../../test/support/growth.ts';
import { collectResponse } from '../event/collect-response.ts';
import { openaiResponses } from './openai-responses.ts';

const utf8 = new TextEncoder();
const call = (more: JsonObject = {}): JsonObject => ({
  type: 'function_call',
  id: 'fc_1',
  call_id: 'c1',
  name: 'find',
  arguments: '{"path":"a"}',
  status: 'completed',
  ...more,
});
const added = (more: JsonObject = {}) => ({
  type: 'response.output_item.added',
  output_index: 0,
  item: call({ arguments: '', status: 'in_progress', ...more }),
});
const done = (more: JsonObject = {}) => ({
  type: 'response.output_item.done',
  output_index: 0,
  item: call(more),
});
const delta = (text: string) => ({
  type: 'response.function_call_arguments.delta',
  output_index: 0,
  item_id: 'fc_1',
  delta: text,
});
const created = {
  type: 'response.created',
  response: { id: 'r', model: 'up', status: 'in_progress', output: [] },
};
const completed = (...output: readonly JsonObject[]) => ({
  type: 'response.completed',
  response: { id: 'r', model: 'up', status: 'completed', output },
});

/** The answer of some events, and which of them must not be passed on as they came. */
function read(...events: readonly object[]) {
  const decoder = openaiResponses.decodeStream();
  const misleading: number[] = [];
  const decoded = events.flatMap((event, at) => {
    const more = decoder.push(utf8.encode(`data: ${JSON.stringify(event)}\n\n`));
    if (decoder.misleads?.() === true) misleading.push(at);
    return more;
  });
  const { finish, items } = collectResponse([...decoded, ...decoder.end()]);
  return { finish, items, misleading };
}

const FOUND = {
  finish: 'tool-calls',
  items: [{ kind: 'tool-call', callId: 'c1', name: 'find', arguments: '{"path":"a"}' }],
};

describe('a call', () => {
  const PIECES = [delta('{"path":'), delta('"a"}')];

  test.each<[string, readonly object[], readonly number[]]>([
    ['its final form', [added({ name: '', call_id: '' }), ...PIECES, done()], [1]],
    ['its final form, without pieces', [added({ name: '', call_id: '' }), done()], [1]],
    ['its final form alone has the id', [added({ call_id: '' }), ...PIECES, done()], [1]],
    ['its final form alone has the name', [added({ name: '' }), ...PIECES, done()], [1]],
    ['the end of the answer', [added({ name: '', call_id: '' }), ...PIECES], [1]],
    ['its announcement', [added(), ...PIECES, done({ name: '' })], [4]],
    ['its announcement, with its id', [added(), ...PIECES, done({ name: '', call_id: '' })], [4]],
  ])('that is named by %s alone is that call, and what leaves it out is not passed on', (_, events, at) => {
    expect(read(created, ...events, completed(call()))).toMatchObject({ ...FOUND, misleading: at });
  });

  test('that is named everywhere is passed on as it came', () => {
    expect(read(created, added(), ...PIECES, done(), completed(call()))).toMatchObject({
      ...FOUND,
      misleading: [],
    });
  });

  test('two of which are announced without names are kept apart by their ids', () => {
    const second = { id: 'fc_2', call_id: 'c2', arguments: '{"path":"b"}' };
    const other = { ...delta('{"path":"b"}'), output_index: 1, item_id: 'fc_2' };
    const events = [
      added({ name: '', call_id: '' }),
      { ...added({ name: '', ...second, call_id: '', arguments: '' }), output_index: 1 },
      PIECES[0] ?? {},
      other,
      PIECES[1] ?? {},
      { ...done(second), output_index: 1 },
      done(),
    ];
    const { items } = read(created, ...events, completed(call(), call(second)));
    expect(items).toMatchObject([
      { callId: 'c1', arguments: '{"path":"a"}' },
      { callId: 'c2', arguments: '{"path":"b"}' },
    ]);
  });

  test('that nobody ever names fails the answer', () => {
    expect(read(created, added({ name: '' }), ...PIECES, completed()).finish).toBe('error');
    expect(read(created, added({ name: '' }), done({ name: '' }), completed()).finish).toBe('error');
  });

  test('that changes its name fails the answer', () => {
    expect(read(created, added(), done({ name: 'rm' }), completed()).finish).toBe('error');
  });

  test('that changes its id keeps the first one, and the form with another is not passed on', () => {
    const other = { call_id: 'c9' };
    expect(read(created, added(), ...PIECES, done(), completed(call(other)))).toMatchObject({
      ...FOUND,
      misleading: [5],
    });
    expect(read(created, added(), ...PIECES, done(other), completed(call()))).toMatchObject({
      ...FOUND,
      misleading: [4],
    });
    const another = { ...other, arguments: '{"path":"b"}' };
    expect(read(created, added(), ...PIECES, done(), completed(call(another))).finish).toBe('error');
  });
});

/** The event that ends the pieces of the arguments. */
const whole = (text: string) => ({
  ...delta(''),
  type: 'response.function_call_arguments.done',
  arguments: text,
});

describe('what leaves the arguments out', () => {
  const PIECE = delta('{"path":"a"}');
  const end = completed(call());

  test.each<[string, readonly object[], readonly number[]]>([
    ['their end', [added(), PIECE, whole(''), done(), end], [3]],
    ['the final form', [added(), PIECE, done({ arguments: '' }), end], [3]],
    ['the final form, as null', [added(), PIECE, done({ arguments: null }), end], [3]],
    ['the end of the answer', [added(), PIECE, done(), completed(call({ arguments: '' }))], [4]],
    [
      'all but the announcement',
      [added({ arguments: '{"path":"a"}' }), done({ arguments: '' }), completed(call({ arguments: '' }))],
      [1, 2, 3],
    ],
  ])('is not passed on: %s', (_, events, at) => {
    expect(read(created, ...events)).toMatchObject({ ...FOUND, misleading: at });
  });

  test('is passed on of a call without any, but for an end that pieces may follow', () => {
    const none = { arguments: '' };
    const last = [done(none), completed(call(none))];
    expect(read(created, added(none), ...last).misleading).toEqual([]);
    expect(read(created, added(none), whole(''), ...last).misleading).toEqual([2]);
    expect(read(created, added(), whole(''), PIECE, done(), end)).toMatchObject({
      ...FOUND,
      misleading: [2],
    });
  });
});

describe('what comes behind the arguments', () => {
  const START = [created, added(), delta('{"path":"a"}')];
  const END = completed(call());

  test('is not passed on where it is a piece, and adds nothing', () => {
    for (const events of [
      [whole('{"path":"a"}'), delta(' '), done()],
      [whole('{"path":"a"}'), delta('{"path":"b"}'), done()],
      [done(), delta('{"path":"b"}')],
    ]) {
      expect(read(...START, ...events, END)).toMatchObject({
        ...FOUND,
        misleading: [4],
      });
    }
  });

  test('is passed on where it says the same', () => {
    expect(read(...START, done(), whole('{ "path": "a" }'), END)).toMatchObject({ ...FOUND, misleading: [] });
  });

  test('fails the answer where it says something else', () => {
    expect(read(...START, done(), whole('{"path":"b"}'), END).finish).toBe('error');
    const blank = [created, added(), done({ arguments: '' }), whole('{"path":"b"}'), END];
    expect(read(...blank).finish).toBe('error');
  });
});

test('an announcement with arguments is not passed on, as some clients add the pieces to them', () => {
  const early = added({ arguments: '{"path":"b"}' });
  expect(read(created, early, done(), completed(call()))).toMatchObject({ ...FOUND, misleading: [1] });
});

test('a long text that is said again and again is read once', () => {
  const text = `{"path":"a"${' '.repeat(400_000)}}`;
  const again = (size: number): void => {
    const events = Array.from({ length: size }, () => done());
    expect(read(created, added(), delta(text), ...events, completed(call())).finish).toBe('tool-calls');
  };
  // Eight times as many events say it: hardly more, as long as what they say is not compared each time.
  expect(growth(again, 25)).toBeLessThan(GROWTH / 2);
});

describe('arguments that are said again', () => {
  const spelled = (pieces: string, final: string) =>
    read(created, added(), delta(pieces), done({ arguments: final }), completed(call({ arguments: final })));

  test.each([
    ['{"path":"a"}', '{ "path": "a" }'],
    ['{"a":1,"b":[1.0,2]}', '{"b":[1,2],"a":1}'],
    ['{"path":"\\u0061"}', '{"path":"a"}'],
  ])('in another spelling are the pieces: %s, %s', (pieces, final) => {
    const { finish, items } = spelled(pieces, final);
    expect(finish).toBe('tool-calls');
    expect(items).toMatchObject([{ arguments: pieces }]);
  });

  test.each([
    ['{"path":"a"}', '{"path":"b"}'],
    ['{"path":"a"}', '{"path":"a","path":"a"}'],
    ['{"n":9007199254740992}', '{"n":9007199254740993}'],
    ['{"path":"a"', '{"path":"a"}'],
    ['{}', '[]'],
  ])('and say something else fail the answer: %s, %s', (pieces, final) => {
    expect(spelled(pieces, final).finish).toBe('error');
  });
});
