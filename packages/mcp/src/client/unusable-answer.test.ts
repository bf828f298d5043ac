import { expect, test } from 'vitest';
import { answeredBy, answeredByText } from './unusable-answer.ts';

test.each<[string, unknown, string | number | undefined]>([
  ['a result that is a list', { id: 1, result: [] }, 1],
  ['an error that is a text', { id: 'a', error: 'x' }, 'a'],
  ['a result of null', { id: 0, result: null }, 0],
  ['a request', { id: 1, method: 'ping', result: {} }, undefined],
  ['an answer to nobody', { result: {} }, undefined],
  ['an id that is an object', { id: {}, result: {} }, undefined],
  ['an id alone', { id: 1 }, undefined],
  ['a list', [{ id: 1, result: [] }], undefined],
  ['nothing', null, undefined],
])('%s answers what it says', (_what, message, id) => {
  expect(answeredBy(message)).toBe(id);
  expect(answeredByText(JSON.stringify(message))).toBe(id);
});

test.each(['', '{"id":1,"result":', '{"id":1,"id":2,"result":[]}'])('%s answers nothing', (text) => {
  expect(answeredByText(text)).toBeUndefined();
});
