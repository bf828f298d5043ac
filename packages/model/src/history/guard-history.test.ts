import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { conversation } from '../../test-support/arbitraries.ts';
import { anyHistory } from '../../test-support/histories.ts';
import { anthropic } from '../anthropic/anthropic.ts';
import type { Item, ToolCallItem, ToolResultItem } from '../call/item.ts';
import { PROTOCOLS, type Protocol } from '../call/protocol.ts';
import type { Codec } from '../codec/codec.ts';
import { gemini } from '../gemini/gemini.ts';
import { ID_RULES } from '../naming/id-map.ts';
import { openaiChat } from '../openai-chat/openai-chat.ts';
import { openaiResponses } from '../openai-responses/openai-responses.ts';
import { guardHistory, NOT_COMPLETED } from './guard-history.ts';

const CODECS: Readonly<Record<Protocol, Codec>> = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  anthropic,
  gemini,
};

const USER: Item = { kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'go on' }] };

function call(callId: string, text = '{}', name = 'add'): ToolCallItem {
  return { kind: 'tool-call', callId, name, arguments: text };
}

function result(callId: string, text = 'ok'): ToolResultItem {
  return { kind: 'tool-result', callId, parts: [{ kind: 'text', text }] };
}

function guard(items: readonly Item[], protocol: Protocol = 'anthropic') {
  const { value, losses } = guardHistory(items, protocol);
  return { value, losses: losses.map(({ code, path }) => `${code} ${path}`) };
}

describe('results', () => {
  test('a history that is right comes back as it is, item by item', () => {
    const items = [USER, call('1'), call('2'), result('1'), result('2'), USER];
    const { value, losses } = guard(items);
    expect(losses).toEqual([]);
    value.forEach((item, index) => {
      expect(item).toBe(items[index]);
    });
  });

  test('a missing result is filled with one that claims nothing, in its place', () => {
    const { value, losses } = guard([USER, call('toolu_1'), call('toolu_2'), result('toolu_1'), USER]);
    expect(value[4]).toEqual({
      kind: 'tool-result',
      callId: 'toolu_2',
      name: 'add',
      parts: [{ kind: 'text', text: NOT_COMPLETED }],
      isError: true,
    });
    expect(losses).toEqual(['synthesised /items/2']);
    expect(() => guardHistory([call('1')], { protocol: 'anthropic', missing: 'refuse' })).toThrow(
      expect.objectContaining({ code: 'model/history-invalid', pointer: '/items/0' }),
    );
  });

  test('a result without a call is refused, or dropped where the profile says so', () => {
    const items = [USER, result('call_1')];
    expect(() => guardHistory(items, 'openai-chat')).toThrow(
      expect.objectContaining({ code: 'model/history-invalid', pointer: '/items/1' }),
    );
    const { value, losses } = guardHistory(items, { protocol: 'openai-chat', orphans: 'drop' });
    expect(value).toEqual([USER]);
    expect(losses).toEqual([
      expect.objectContaining({ code: 'dropped', path: '/items/1', severity: 'warning' }),
    ]);
  });

  test('a result under the id of the item instead of the call is refused and not guessed', () => {
    const odd: Item = { ...call('call_3'), id: 'fc_9' };
    expect(() => guardHistory([USER, odd, result('fc_9')], 'openai-responses')).toThrow(
      expect.objectContaining({ pointer: '/items/2' }),
    );
  });

  test('of two results of one call the first one counts', () => {
    const { value, losses } = guard([USER, call('t1'), result('t1', 'first'), result('t1', 'second')]);
    expect(value).toHaveLength(3);
    expect(value[2]).toMatchObject({ parts: [{ text: 'first' }] });
    expect(losses).toEqual(['dropped /items/3']);
  });

  test('results stand right behind their turn in call order, whatever came between', () => {
    const { value, losses } = guard([USER, call('1'), call('2'), result('2'), USER, result('1')]);
    expect(value.map((item) => (item.kind === 'tool-result' ? item.callId : item.kind))).toEqual([
      'message',
      'tool-call',
      'tool-call',
      '1',
      '2',
      'message',
    ]);
    expect(losses).toEqual(['relocated /items/5', 'relocated /items/3']);
  });

  test('a result before its call is moved and not lost', () => {
    const { value, losses } = guard([USER, result('1', 'kept'), call('1')]);
    expect(value[2]).toMatchObject({ callId: '1', parts: [{ text: 'kept' }] });
    expect(losses).toEqual(['relocated /items/1']);
  });
});

describe('ids', () => {
  test('calls without ids get ids that their results share', () => {
    const { value } = guard([
      USER,
      call('', '{"path":"a.txt"}'),
      call('null'),
      result('', 'one'),
      result('', 'two'),
    ]);
    const [, first, second, one, two] = value as (Item & { callId: string })[];
    expect(first?.callId).toMatch(/^call_/);
    expect(second?.callId).not.toBe(first?.callId);
    expect([one?.callId, two?.callId]).toEqual([first?.callId, second?.callId]);
    expect(first).toMatchObject({ name: 'add', arguments: '{"path":"a.txt"}' });
  });

  test('an id that a server uses again in each turn stays apart', () => {
    const items = [
      USER,
      call('call_0'),
      result('call_0', 'one'),
      USER,
      call('call_0'),
      result('call_0', 'two'),
    ];
    const { value } = guard(items, 'openai-chat');
    const [, first, one, , second, two] = value as (Item & { callId: string })[];
    expect(first?.callId).toBe('call_0');
    expect(second?.callId).not.toBe('call_0');
    expect([one?.callId, two?.callId]).toEqual([first?.callId, second?.callId]);
    expect(two).toMatchObject({ parts: [{ text: 'two' }] });
  });

  test('an open call of an earlier turn does not take the result of a later one', () => {
    const { value } = guard([USER, call('x'), USER, call('x'), result('x', 'late')], 'openai-chat');
    expect(value[2]).toMatchObject({ parts: [{ text: NOT_COMPLETED }] });
    expect(value[5]).toMatchObject({ parts: [{ text: 'late' }] });
  });

  test.each([
    ['functions.write_todos:0', 'anthropic', ID_RULES.anthropic, /^[a-zA-Z0-9_-]+$/],
    ['2968-LWy3uasib', 'openai-chat', ID_RULES.mistral, /^[a-zA-Z0-9]{9}$/],
    ['call-3898\nfc_d9dc', 'openai-responses', ID_RULES['openai-responses'], /^[!-~]{1,64}$/],
  ] as const)('%j is made legal for %s on both sides', (id, protocol, rule, legal) => {
    const { value } = guardHistory([USER, call(id), result(id)], { protocol, ids: rule });
    const [, asked, answered] = value as (Item & { callId: string })[];
    expect(asked?.callId).toMatch(legal);
    expect(answered?.callId).toBe(asked?.callId);
  });
});

describe('content', () => {
  test('empty text goes, and messages that are left empty', () => {
    const empty: Item = { kind: 'message', role: 'assistant', parts: [{ kind: 'text', text: '' }] };
    const mixed: Item = {
      kind: 'message',
      role: 'user',
      parts: [
        { kind: 'text', text: '' },
        { kind: 'text', text: 'x' },
      ],
    };
    const { value, losses } = guard([USER, empty, mixed]);
    expect(value).toEqual([USER, { kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'x' }] }]);
    expect(losses).toEqual(['dropped /items/1', 'dropped /items/2/parts']);
  });

  test('white space is empty for Anthropic only', () => {
    const blank: Item = { kind: 'message', role: 'user', parts: [{ kind: 'text', text: ' \n' }] };
    expect(guard([blank], 'anthropic').value).toEqual([]);
    expect(guard([blank], 'openai-chat').value).toEqual([blank]);
  });

  test.each(['{', '[]', '"{\\"a\\":1}"', '{"a":1,"a":2}', 'null'])(
    'arguments %j are replayed as an empty object',
    (text) => {
      const { value, losses } = guard(
        [USER, call('1', text), result('1', 'The arguments are not JSON.')],
        'openai-chat',
      );
      expect(value[1]).toMatchObject({ arguments: '{}' });
      expect(value[2]).toMatchObject({ parts: [{ text: 'The arguments are not JSON.' }] });
      expect(losses).toEqual(['approximated /items/1/arguments']);
      const kept = guardHistory([USER, call('1', text), result('1')], {
        protocol: 'openai-chat',
        brokenArguments: 'text',
      });
      expect(kept.value[1]).toMatchObject({ arguments: text });
    },
  );

  test('arguments that can be read are the very text, spelled as they were', () => {
    const text = '{ "a" : 3.0 , "b":12345678901234567890 }';
    expect(guard([USER, call('1', text), result('1')]).value[1]).toMatchObject({ arguments: text });
  });

  test('thoughts and signatures go only where they came from', () => {
    const thought: Item = {
      kind: 'reasoning',
      text: 'x',
      opaque: { protocol: 'anthropic', form: 'signature', value: 's' },
    };
    const signed: Item = { ...call('1'), signature: { protocol: 'gemini', form: 'signature', value: 's' } };
    const items = [USER, thought, signed, result('1')];
    expect(guard(items, 'anthropic').losses).toEqual(['dropped /items/2/signature']);
    expect(guard(items, 'gemini').losses).toEqual(['dropped /items/1']);
    expect(guardHistory(items, { protocol: 'anthropic', reasoning: 'none' }).value).toEqual([
      USER,
      call('1'),
      result('1'),
    ]);
  });

  test('a thought that nothing follows in its turn is left out', () => {
    const thought: Item = {
      kind: 'reasoning',
      text: 'x',
      opaque: { protocol: 'anthropic', form: 'signature', value: 's' },
    };
    expect(guard([USER, thought, USER]).losses).toEqual(['dropped /items/1']);
    expect(guard([USER, thought, call('1'), result('1')]).losses).toEqual([]);
  });
});

describe.each(PROTOCOLS)('any history whatever, for %s', (protocol) => {
  test('has one result per call, in place, with legal unique ids', () => {
    fc.assert(
      fc.property(anyHistory, (items) => {
        const before = structuredClone(items);
        const { value } = guardHistory(items, { protocol, orphans: 'drop' });
        expect(items).toEqual(before);
        let waiting: string[] = [];
        const seen = new Set<string>();
        for (const item of value) {
          if (item.kind === 'tool-result') {
            expect(item.callId).toBe(waiting.shift());
          } else if (item.kind === 'tool-call') {
            expect(seen.has(item.callId)).toBe(false);
            seen.add(item.callId);
            expect(item.callId).not.toBe('');
            waiting.push(item.callId);
          } else if (item.kind === 'foreign') {
            if (protocol === 'openai-chat') waiting.push((item.value as { id: string }).id);
          } else if (item.kind === 'message' && item.role !== 'assistant') {
            expect(waiting).toEqual([]);
            waiting = [];
          }
        }
        expect(waiting).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  test('keeps each first result of each call, and is the same when it is guarded again', () => {
    fc.assert(
      fc.property(anyHistory, (items) => {
        const { value } = guardHistory(items, { protocol, orphans: 'drop' });
        const again = guardHistory(value, { protocol });
        expect(again.value).toEqual(value);
        expect(again.losses).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  test('can be encoded, and the losses of both steps name no place outside of it', () => {
    fc.assert(
      fc.property(anyHistory, (items) => {
        const { value } = guardHistory(items, { protocol, orphans: 'drop' });
        const encoded = CODECS[protocol].encodeRequest({ model: 'm', items: value });
        expect(encoded.losses.filter(({ code }) => code === 'refused')).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  test('a conversation that is right is not changed by cutting and filling', () => {
    fc.assert(
      fc.property(conversation(fc.constant('{}')), fc.nat(), (items, at) => {
        const cut = items.slice(0, at % (items.length + 1));
        const { value } = guardHistory(cut, { protocol, orphans: 'drop' });
        const results = (list: readonly Item[]) => list.filter(({ kind }) => kind === 'tool-result');
        const real = results(value).filter((item) => JSON.stringify(item) !== undefined && !isFilled(item));
        expect(real).toHaveLength(results(cut).length);
      }),
      { numRuns: 200 },
    );
  });
});

function isFilled(item: Item): boolean {
  return (
    item.kind === 'tool-result' &&
    item.parts.some((part) => part.kind === 'text' && part.text === NOT_COMPLETED)
  );
}

test('thousands of calls with one id are paired in linear time', () => {
  const items: Item[] = [];
  for (let turn = 0; turn < 20_000; turn += 1) items.push(call('same'));
  for (let turn = 0; turn < 20_000; turn += 1) items.push(result('same'));
  const { value } = guardHistory(items, 'openai-chat');
  expect(value).toHaveLength(40_000);
});
