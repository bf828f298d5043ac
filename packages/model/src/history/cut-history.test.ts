import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { conversation } from '../../test-support/arbitraries.ts';
import { anyHistory } from '../../test-support/histories.ts';
import type { Item } from '../call/item.ts';
import { cutHistory } from './cut-history.ts';
import { guardHistory } from './guard-history.ts';

const USER: Item = { kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'go on' }] };
const SYSTEM: Item = { kind: 'message', role: 'system', parts: [{ kind: 'text', text: 'Be brief.' }] };

function call(callId: string, name = 'query'): Item {
  return { kind: 'tool-call', callId, name, arguments: '{}' };
}

function result(callId: string): Item {
  return { kind: 'tool-result', callId, parts: [{ kind: 'text', text: 'rows' }] };
}

describe('a cut', () => {
  const items = [
    SYSTEM,
    USER,
    call('1'),
    call('2', 'read'),
    result('1'),
    result('2'),
    USER,
    call('3'),
    result('3'),
    USER,
  ];

  test('leaves no result behind without its call', () => {
    for (let keep = 0; keep <= items.length + 1; keep += 1) {
      const cut = cutHistory(items, keep);
      expect(() => guardHistory(cut.items, { protocol: 'anthropic', missing: 'refuse' })).not.toThrow();
      expect(guardHistory(cut.items, 'openai-chat').losses).toEqual([]);
      expect(cut.items[0]).toBe(SYSTEM);
    }
  });

  test('tells how much is missing and of which tools', () => {
    const { leftOut, tools, notice, items: kept } = cutHistory(items, 4);
    expect(leftOut).toBe(5);
    expect(tools).toEqual([
      { name: 'query', results: 1 },
      { name: 'read', results: 1 },
    ]);
    expect(kept).toEqual([SYSTEM, notice, ...items.slice(6)]);
    expect(JSON.stringify(notice)).toContain('query (1), read (1)');
  });

  test('tells where the whole results are kept, the latest of them', () => {
    const handles = new Map([
      ['1', 'kept-1'],
      ['3', 'kept-3'],
    ]);
    const { tools, notice } = cutHistory(items, 1, { handleOf: (callId) => handles.get(callId) });
    expect(tools).toEqual([
      { name: 'query', results: 2, handles: ['kept-1', 'kept-3'] },
      { name: 'read', results: 1 },
    ]);
    expect(JSON.stringify(notice)).toContain('query (2; kept whole under kept-1 kept-3), read (1)');
    const many = Array.from({ length: 40 }, (_, at) => [call(`c${at}`), result(`c${at}`)]).flat();
    const bounded = cutHistory([...many, USER], 1, { handleOf: (callId) => `kept-${callId}` });
    expect(bounded.tools).toEqual([
      { name: 'query', results: 40, handles: ['kept-c35', 'kept-c36', 'kept-c37', 'kept-c38', 'kept-c39'] },
    ]);
  });

  test('that is not needed changes nothing', () => {
    expect(cutHistory(items, 100)).toEqual({ items, leftOut: 0, tools: [], notice: undefined });
    expect(cutHistory([], 0).items).toEqual([]);
  });

  test('keeps what a user said last, even if nothing shall be kept', () => {
    expect(cutHistory(items, 0).items.at(-1)).toBe(USER);
  });

  test('of a conversation parts no pair and no turn, wherever it falls', () => {
    fc.assert(
      fc.property(conversation(fc.constant('{}')), fc.nat({ max: 30 }), (history, keep) => {
        const { items: kept, notice, leftOut } = cutHistory(history, keep);
        expect(() => guardHistory(kept, { protocol: 'openai-chat', missing: 'refuse' })).not.toThrow();
        if (notice === undefined) expect(kept).toBe(history);
        else
          expect(kept.filter((item) => item !== notice)).toEqual(
            history.filter((_, index) => index < headOf(history) || index >= headOf(history) + leftOut),
          );
      }),
    );
  });

  test('of any history whatever makes no orphan that was none', () => {
    fc.assert(
      fc.property(anyHistory, fc.nat({ max: 14 }), (history, keep) => {
        const orphans = (items: readonly Item[]) =>
          guardHistory(items, { protocol: 'openai-chat', orphans: 'drop' }).losses.filter(({ detail }) =>
            detail.includes('no call'),
          ).length;
        expect(orphans(cutHistory(history, keep).items)).toBeLessThanOrEqual(orphans(history));
      }),
      { numRuns: 300 },
    );
  });
});

function headOf(items: readonly Item[]): number {
  const head = items.findIndex(
    (item) => !(item.kind === 'message' && (item.role === 'system' || item.role === 'developer')),
  );
  return head === -1 ? items.length : head;
}
