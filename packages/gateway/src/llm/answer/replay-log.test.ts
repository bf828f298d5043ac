import { codecOf, collectResponse, type ModelEvent, PROTOCOLS } from '@toolgate/model';
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
  const log = createReplayLog('openai-responses');
  for (const event of given) log.add([event]);
  expect(collectResponse(log.all())).toEqual(collectResponse(EVENTS));
  expect(log.all()).toHaveLength(EVENTS.length - 4);
  expect(given).toEqual(EVENTS);
});

const words = Array.from(
  { length: 500 },
  (_, index): ModelEvent => ({ kind: 'text-delta', index: 1, text: `${index} ` }),
);
const LONG = EVENTS.flatMap((event) => (event.kind === 'text-start' ? [event, ...words] : [event]));
const END: ModelEvent = { kind: 'response-end', finish: 'tool-calls' };

/** Pieces that are one are numbered as one. */
const unnumbered = (text: string): string => text.replace(/"sequence_number":\d+/g, '');

test.each(PROTOCOLS)(
  'an encoder of %s that is led by a log goes on as if it had said everything itself',
  (protocol) => {
    for (let cut = 1; cut < LONG.length - 1; cut += cut < 12 ? 1 : 97) {
      const whole = codecOf(protocol).encodeStream();
      const led = codecOf(protocol).encodeStream();
      const log = createReplayLog(protocol);
      log.add(LONG.slice(0, cut));
      for (const event of LONG.slice(0, cut)) whole.push(event);
      for (const event of log.all()) led.push(event);
      for (const event of [...LONG.slice(cut, -1), END])
        expect(unnumbered(led.push(event))).toBe(unnumbered(whole.push(event)));
    }
  },
);

test('a log keeps no text that nobody says again', () => {
  const log = createReplayLog('openai-chat');
  log.add(LONG);
  expect(JSON.stringify(log.all()).length).toBeLessThan(JSON.stringify(EVENTS).length + 100);
});
