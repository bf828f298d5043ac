import { expect, test } from 'vitest';
import { McpError } from '../mcp-error.ts';
import { readEvents } from './read-events.ts';

const answer = { jsonrpc: '2.0', id: 1, result: {} };
const notice = { jsonrpc: '2.0', method: 'notifications/a' };
const text = JSON.stringify(answer);

test.each<[string, string, unknown[]]>([
  ['one event', `event: message\ndata: ${text}\n\n`, [answer]],
  ['an event without its end', `data:${text}`, [answer]],
  [
    'a comment and two events',
    `: hi\r\n\r\ndata: ${JSON.stringify(notice)}\r\n\r\ndata: ${text}\r\n\r\n`,
    [notice, answer],
  ],
  ['a mark before it', `\ufeffid: 7\ndata: ${text}\n\n`, [answer]],
  ['something that is no JSON', `data: ping\n\ndata: ${text}\n\n`, [answer]],
])('a stream of %s says what it says', (_what, body, messages) => {
  expect(readEvents(body)).toEqual({ messages, isMended: true });
});

test.each([text, 'hello', '<p>data: {}</p>', 'data: ping\n\n', ': hi\n\n', 'dataset: 1', ''])(
  '%j is none, or says nothing',
  (body) => {
    expect(readEvents(body)).toBeUndefined();
  },
);

test('an event that is ambiguous is a fault', () => {
  expect(McpError.is(readEvents('data: {"id":1,"id":2,"result":{}}\n\n'))).toBe(true);
});
