import { collectResponse, type ModelEvent } from '@toolgate/model';
import { expect, test } from 'vitest';
import { createReplayLog } from './replay-log.ts';

const USAGE = { inputTotal: 1, cacheRead: null, cacheWrite: null, outputTotal: 1, reasoning: null };
const EVENTS: readonly ModelEvent[] = [
  { kind: 'response-start', id: 'r', model: 'm' },
  { kind: 'reasoning-start', index: 0 },
  { kind: 'reasoning-delta', index: 0, text: 'a', summary: true, summaryIndex: 0 },
  { kind: 'reasoning-delta', index: 0, text: 'b', summary: true, summaryIndex: 0 },
  { kind: 'reasoning-delta', index: 0, text: 'c', summary: true, summaryIndex: 1 },
  { kind: 'reasoning-end', index: 0 },
  { kind: 'text-start', index: 1 },
  { kind: 'text-delta', index: 1, text: 'd' },
  { kind: 'text-delta', index: 1, text: 'e' },
  { kind: 'call-start', index: 2, callId: 'c', name: 'n' },
  { kind: 'call-delta', index: 2, delta: '{' },
  { kind: 'text-delta', index: 1, text: 'f' },
  { kind: 'call-delta', index: 2, delta: '"a":' },
  { kind: 'call-delta', index: 2, delta: '1}' },
  { kind: 'call-end', index: 2, callId: 'c', name: 'n', arguments: '{"a":1}' },
  { kind: 'text-end', index: 1 },
  { kind: 'usage', usage: { ...USAGE, outputTotal: 0 } },
  { kind: 'usage', usage: USAGE },
  { kind: 'response-end', finish: 'tool-calls' },
];

test('a replay log says the same answer in fewer events, and keeps the events it was given as they are', () => {
  const given = EVENTS.map((event) => Object.freeze({ ...event }));
  const log = createReplayLog();
  for (const event of given) log.add([event]);
  expect(collectResponse(log.events)).toEqual(collectResponse(EVENTS));
  expect(log.events).toHaveLength(EVENTS.length - 4);
  expect(given).toEqual(EVENTS);
});
