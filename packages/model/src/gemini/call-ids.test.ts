import type { JsonValue } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import { GROWTH, growth } from '../../../../test/support/growth.ts';
import { createCallIds } from './call-ids.ts';
import { gemini } from './gemini.ts';

const call = (args: string, id?: string): JsonValue => ({
  functionCall: { name: 'f', args: { of: args }, ...(id === undefined ? {} : { id }) },
});
const result = (of: string, id?: string): JsonValue => ({
  functionResponse: { name: 'f', response: { of }, ...(id === undefined ? {} : { id }) },
});
const model = (...parts: readonly JsonValue[]): JsonValue => ({ role: 'model', parts });
const user = (...parts: readonly JsonValue[]): JsonValue => ({ role: 'user', parts });

/** The arguments of each call beside the result that it got. */
function pairs(...contents: readonly JsonValue[]): readonly (readonly [string, string])[] {
  const { items } = gemini.decodeRequest(
    { contents: [user({ text: 'hi' }), ...contents] },
    { model: 'm' },
  ).value;
  return items.flatMap((item) => {
    if (item.kind !== 'tool-call') return [];
    const found = items.find((other) => other.kind === 'tool-result' && other.callId === item.callId);
    const structured = found?.kind === 'tool-result' ? found.structured : undefined;
    return [[JSON.parse(item.arguments).of, (structured as { readonly of?: string })?.of ?? '']];
  });
}

describe('a result', () => {
  test('that says no id is of the first unanswered call of its name, whether that has one or not', () => {
    const both = [
      ['a', 'a'],
      ['b', 'b'],
    ];
    expect(pairs(model(call('a', '1')), user(result('a')))).toEqual([['a', 'a']]);
    expect(pairs(model(call('a', '1'), call('b', '2')), user(result('a'), result('b')))).toEqual(both);
    expect(pairs(model(call('a', '1'), call('b')), user(result('a'), result('b')))).toEqual(both);
    expect(pairs(model(call('a', '1'), call('b', '2')), user(result('b', '2'), result('a')))).toEqual(both);
    expect(pairs(model(call('a', '1'), call('b', '2')), user(result('a')), user(result('b', '')))).toEqual(
      both,
    );
  });

  test('that says no id is of the last turn of the model, although an earlier call got none', () => {
    const contents = [model(call('a', '1')), user({ text: 'no' }), model(call('b', '2')), user(result('b'))];
    expect(pairs(...contents)).toEqual([
      ['a', ''],
      ['b', 'b'],
    ]);
    expect(pairs(...contents, user(result('a')))).toEqual([
      ['a', 'a'],
      ['b', 'b'],
    ]);
  });

  test('that says an id of no call is of one without an id, and of no other', () => {
    expect(pairs(model(call('a', '1'), call('b')), user(result('b', 'x')))).toEqual([
      ['a', ''],
      ['b', 'b'],
    ]);
    expect(() => pairs(model(call('a', '1')), user(result('a', 'x')))).toThrow(
      expect.objectContaining({ pointer: '/contents/2/parts/0/functionResponse' }),
    );
  });

  test('without a name is of the call in its place, and has the name of that one', () => {
    const nameless = (of: string, name?: string): JsonValue => ({
      functionResponse: { response: { of }, ...(name === undefined ? {} : { name }) },
    });
    const other: JsonValue = { functionCall: { name: 'g', args: { of: 'b' } } };
    const contents = [model(call('a', '1'), other), user(nameless('a', ''), nameless('b'))];
    expect(pairs(...contents)).toEqual([
      ['a', 'a'],
      ['b', 'b'],
    ]);
    const { items } = gemini.decodeRequest({ contents }, { model: 'm' }).value;
    const again = JSON.stringify(gemini.encodeRequest({ model: 'm', items }).value.body);
    expect(again).toContain('"functionResponse":{"id":"1","name":"f"');
    expect(again).toContain('"functionResponse":{"name":"g"');
    expect(() => pairs(...contents, user(nameless('c', '')))).toThrow(
      expect.objectContaining({ pointer: '/contents/3/parts/0/functionResponse' }),
    );
  });

  test('that says the id of its call where the name belongs is of that call, under its name', () => {
    const odd: JsonValue = { functionResponse: { name: 'call_2', response: { of: 'b' } } };
    const contents = [model(call('a', 'call_1'), call('b', 'call_2')), user(odd, result('a'))];
    expect(pairs(...contents)).toEqual([
      ['a', 'a'],
      ['b', 'b'],
    ]);
    const { items } = gemini.decodeRequest({ contents }, { model: 'm' }).value;
    expect(JSON.stringify(gemini.encodeRequest({ model: 'm', items }).value.body)).not.toContain(
      '"name":"call_2"',
    );
  });

  test('that says no id is of a call whose id an earlier one had', () => {
    const contents = [
      model(call('a', '1')),
      user(result('a', '1')),
      model(call('b', '1')),
      user(result('b')),
    ];
    const { items } = gemini.decodeRequest({ contents }, { model: 'm' }).value;
    expect(items.map((item) => ('callId' in item ? item.callId : item.kind))).toEqual(['1', '1', '1', '1']);
  });

  test('answers no call that has an answer', () => {
    expect(() => pairs(model(call('a', '1')), user(result('a', '1'), result('b')))).toThrow(
      expect.objectContaining({ pointer: '/contents/2/parts/1/functionResponse' }),
    );
  });
});

test('results of a very long conversation are found in time that grows with it', () => {
  const pair = (size: number): void => {
    const ids = createCallIds();
    const found = new Set<string | undefined>();
    for (let turn = 0; turn < size; turn++) {
      ids.nextTurn();
      ids.ofCall(`${turn}`, 'f', '{}');
    }
    for (let turn = 0; turn < size; turn++) found.add(ids.ofResult(undefined, 'f'));
    expect(found.size).toBe(size);
    expect(ids.ofResult(undefined, 'f')).toBeUndefined();
  };
  expect(growth(pair, 2_500)).toBeLessThan(GROWTH * 4);
});
