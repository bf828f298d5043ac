import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Item } from '../call/item.ts';
import { createLossLog } from './loss-log.ts';
import { toTurns } from './turns.ts';

const call = (callId: string): Item => ({ kind: 'tool-call', callId, name: 'f', arguments: '{}' });
const result = (callId: string): Item => ({ kind: 'tool-result', callId, parts: [] });
const note: Item = { kind: 'message', role: 'user', parts: [] };

function indexes(items: readonly Item[]): readonly (readonly number[])[] {
  return toTurns(items, createLossLog()).map((turn) => {
    return turn.kind === 'other' ? [turn.entry.index] : turn.entries.map((entry) => entry.index);
  });
}

describe('turns', () => {
  test.each<[string, readonly Item[], readonly (readonly number[])[]]>([
    ['results follow their calls', [call('a'), note, result('a')], [[0], [2], [1]]],
    [
      'calls with a message between them are two turns',
      [call('a'), note, call('b'), result('a'), result('b')],
      [[0], [3], [1], [2], [4]],
    ],
    [
      'results of one turn keep their order',
      [call('a'), call('b'), result('b'), note, result('a')],
      [[0, 1], [2, 4], [3]],
    ],
    ['an id may be used again later', [call('a'), result('a'), call('a'), result('a')], [[0], [1], [2], [3]]],
    ['a call without a result is a turn', [call('a'), note], [[0], [1]]],
    ['nothing is nothing', [], []],
  ])('%s', (_name, items, expected) => {
    expect(indexes(items)).toEqual(expected);
  });

  test('no item is lost or doubled, and only moved results are reported', () => {
    const script = fc.array(fc.oneof(fc.constant(note), fc.nat(3)), { maxLength: 12 });
    fc.assert(
      fc.property(script, fc.infiniteStream(fc.nat(5)), (steps, gaps) => {
        const items: Item[] = [];
        steps.forEach((step, at) => {
          if (typeof step !== 'number') items.push(step);
          else for (let made = 0; made < step; made += 1) items.push(call(`${at}/${made}`));
        });
        for (const made of [...items]) {
          if (made.kind !== 'tool-call') continue;
          const from = items.indexOf(made) + 1;
          items.splice(Math.min(from + (gaps.next().value ?? 0), items.length), 0, result(made.callId));
        }
        const losses = createLossLog();
        const turns = toTurns(items, losses);
        const seen = turns.flatMap((turn) =>
          turn.kind === 'other' ? [turn.entry.index] : turn.entries.map(({ index }) => index),
        );
        expect([...seen].sort((left, right) => left - right)).toEqual(items.map((_, index) => index));
        if (seen.every((index, at) => index === at)) expect(losses.losses).toEqual([]);
      }),
    );
  });

  test('a result without a call before it is refused', () => {
    expect(() => toTurns([result('a'), call('a')], createLossLog())).toThrow(
      expect.objectContaining({ code: 'model/not-encodable', pointer: '/items/0' }),
    );
  });

  test('a foreign item that is answered by a result is a call', () => {
    const foreign: Item = { kind: 'foreign', protocol: 'openai-chat', role: 'assistant', value: 'x' };
    const turns = toTurns([foreign, note, result('x')], createLossLog(), {
      foreignCallId: () => 'x',
    });
    expect(turns.map(({ kind }) => kind)).toEqual(['assistant', 'results', 'other']);
  });
});
