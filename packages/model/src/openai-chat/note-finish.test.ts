import { expect, test } from 'vitest';
import type { AnswerShape } from '../codec/answer-shape.ts';
import { createLossLog } from '../codec/loss-log.ts';
import type { ChatFinishReason } from './chat-wire.ts';
import { noteFinish } from './note-finish.ts';

const empty: AnswerShape = { calls: false, openCalls: false, refusal: false };

function noted(
  response: Parameters<typeof noteFinish>[0],
  word: ChatFinishReason,
  shape: AnswerShape = empty,
): readonly string[] {
  const log = createLossLog();
  noteFinish({ finishDetail: word, ...response }, word, shape, log);
  return log.losses.map(({ code, path, severity }) => `${code} ${path} ${severity}`);
}

test.each([
  ['stop', 'stop'],
  ['tool-calls', 'tool_calls'],
  ['length', 'length'],
  ['content-filter', 'content_filter'],
] as const)('an end that is %s is %s and loses nothing', (finish, word) => {
  expect(noted({ finish }, word)).toEqual([]);
});

test.each([
  ['paused', 'stop', 'approximated /finish warning'],
  ['unknown', 'stop', 'approximated /finish warning'],
  ['refusal', 'content_filter', 'approximated /finish info'],
  ['stop', 'length', 'approximated /finish warning'],
  ['refusal', 'length', 'approximated /finish warning'],
  ['tool-calls', 'length', 'approximated /finish warning'],
  ['stop', 'tool_calls', 'approximated /finish info'],
  ['tool-calls', 'stop', 'approximated /finish info'],
] as const)('an end that is %s and is said as %s is one loss', (finish, word, loss) => {
  expect(noted({ finish }, word)).toEqual([loss]);
});

test('what stands beside the end and has no form is a loss of its own', () => {
  expect(noted({ finish: 'stop', finishDetail: 'end_turn', stopSequence: 'END' }, 'stop')).toEqual([
    'approximated /finishDetail info',
    'dropped /stopSequence info',
  ]);
});

test.each(['length', 'content_filter'] as const)(
  'whole calls of an answer that ends with %s count as cut',
  (word) => {
    const finish = word === 'length' ? 'length' : 'content-filter';
    expect(noted({ finish }, word, { ...empty, calls: true })).toEqual(['approximated /incomplete info']);
  },
);
