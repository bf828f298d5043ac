import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { RequestIds } from './request-ids.ts';

const written = (ids: RequestIds, message: JSONRPCMessage): unknown =>
  JSON.parse(JSON.stringify(ids.addressed(message)));

test('of ours are never given twice, and nothing is kept of a request that has ended', () => {
  const ids = new RequestIds();
  const given = new Set<number>();
  for (let round = 0; round < 1_000; round += 1) {
    const own = ids.begin(1);
    given.add(own);
    ids.end(own);
    ids.end(own);
    expect([ids.size, ids.find(1)]).toEqual([0, 'none']);
  }
  expect(given.size).toBe(1_000);
});

test('of the client find the one request that has it, by its type', () => {
  const ids = new RequestIds();
  const [one, other, text] = [ids.begin(1), ids.begin(1), ids.begin('1')];
  expect([ids.find(1), ids.find('1'), ids.find(2)]).toEqual(['several', text, 'none']);
  ids.end(one);
  expect([ids.find(1), ids.size]).toEqual([other, 2]);
});

test('of the client are written where ours lead the way, in answers alone', () => {
  const ids = new RequestIds();
  const own = ids.begin('theirs');
  for (const answer of [{ result: { a: 1 } }, { error: { code: 1, message: 'no' } }]) {
    const message = { jsonrpc: '2.0', id: own, ...answer } as const;
    expect(ids.addressed(message)).toEqual(message);
    expect(written(ids, message)).toEqual({ ...message, id: 'theirs' });
  }
  for (const message of [
    { jsonrpc: '2.0', id: own, method: 'elicitation/create' },
    { jsonrpc: '2.0', method: 'notifications/message' },
    { jsonrpc: '2.0', id: own + 1, result: {} },
  ] as const) {
    expect(written(ids, message)).toEqual(message);
  }
});

test('of many requests take no longer each than those of few', () => {
  const ids = new RequestIds();
  const all = Array.from({ length: 50_000 }, () => ids.begin(1));
  for (const own of all) {
    expect(ids.find(1)).toBe(own === all.at(-1) ? own : 'several');
    ids.end(own);
  }
  expect(ids.size).toBe(0);
});
