import { describe, expect, test } from 'vitest';
import { mcpFault } from '../../test-support/mcp-fault.ts';
import type { McpError } from '../mcp-error.ts';
import { mendBody, mendEvent } from './mend-body.ts';

const asked = { id: 3 };
const answer = { jsonrpc: '2.0', id: 3, result: {} };
const error = { code: -32_600, message: 'no' };
const read = (text: string | undefined): unknown => (text === undefined ? undefined : JSON.parse(text));

describe('a body', () => {
  test.each<[string, unknown]>([
    ['an answer', answer],
    ['an answer whose id is a text', { ...answer, id: '3' }],
  ])('that is %s stays as it is', (_what, said) => {
    expect(mendBody(JSON.stringify(said), asked)).toBeUndefined();
  });

  test.each([
    ['no JSON', 'hello', asked],
    ['an answer to what has none', '{"hello":1}', { id: undefined }],
    ['an answer to no message', '{"hello":1}', undefined],
  ])('that is %s stays as it is', (_what, text, to) => {
    expect(mendBody(text, to)).toBeUndefined();
  });

  test.each<[string, unknown, unknown]>([
    ['an error of nobody', { jsonrpc: '2.0', id: null, error }, { jsonrpc: '2.0', id: 3, error }],
    ['an error without an id', { jsonrpc: '2.0', error }, { jsonrpc: '2.0', id: 3, error }],
    ['an answer in a list', [answer], answer],
    [
      'an answer with something else in a list',
      [{ jsonrpc: '2.0', method: 'notifications/a' }, { hello: 1 }, answer],
      [{ jsonrpc: '2.0', method: 'notifications/a' }, answer],
    ],
  ])('that is %s answers the request', (_what, said, given) => {
    expect(read(mendBody(JSON.stringify(said), asked))).toEqual(given);
  });

  test.each(['{"hello":1}', 'null', '[]'])('that is %s is an answer that nobody can use', (text) => {
    expect(read(mendBody(text, asked))).toMatchObject({ id: 3, result: { content: null } });
  });

  test('that answers another request will not answer this one, which is said at once', () => {
    const other = { ...answer, id: 4 };
    const unusable = { id: 3, result: { content: null } };
    expect(read(mendBody(JSON.stringify(other), asked))).toMatchObject([other, unusable]);
  });
});

describe('an event', () => {
  const told: McpError[] = [];
  const event = (data: string, ...more: readonly string[]) =>
    mendEvent({ lines: [...more, `data: ${data}`], data, bytes: 0 }, asked, (error) => told.push(error)).text;

  test.each(['', 'ping', JSON.stringify(answer), '{"hello":1}'])(
    'with the data %j stays as it is',
    (data) => {
      expect(event(data, 'id: 1', ': a')).toBe(`id: 1\n: a\ndata: ${data}\n\n`);
    },
  );

  test('keeps its fields when its message is mended, and each message of a list is an event', () => {
    const text = JSON.stringify(answer);
    expect(event('{"id":3,"result":{}}', 'id: 1')).toBe(`id: 1\ndata: ${text}\n\n`);
    expect(event(`[${text},${text}]`, 'id: 1')).toBe(`id: 1\ndata: ${text}\n\n`.repeat(2));
  });

  test('that is ambiguous is an answer of no use, where it answers something, and a fault elsewhere', () => {
    expect(event('{"jsonrpc":"2.0","id":3,"result":{"a":1,"a":2}}', 'id: 1')).toContain('"content":null');
    expect(told).toMatchObject([{ code: 'mcp/result-invalid', pointer: '/result/a' }]);
    expect(mcpFault(() => event('{"a":1,"a":2}'))).toMatchObject({ pointer: '/a' });
    expect(mcpFault(() => event('{"id":3,"id":4,"result":{}}'))).toMatchObject({ pointer: '/id' });
  });

  test('with an error of nobody is about the request of its stream', () => {
    expect(event(JSON.stringify({ jsonrpc: '2.0', id: null, error }))).toContain('"id":3');
  });

  test.each<[string, boolean]>([
    [JSON.stringify(answer), true],
    [JSON.stringify({ ...answer, id: '3' }), true],
    [JSON.stringify({ jsonrpc: '2.0', id: null, error }), true],
    ['{"jsonrpc":"2.0","id":3,"result":{"a":1,"a":2}}', true],
    [JSON.stringify({ ...answer, id: 4 }), false],
    ['{"jsonrpc":"2.0","id":3,"method":"ping"}', false],
    ['', false],
  ])('says whether it brings the answer: %s', (data, isAnswer) => {
    const read = { lines: [`data: ${data}`], data, bytes: 0 };
    expect(mendEvent(read, asked, () => undefined).isAnswer).toBe(isAnswer);
    expect(mendEvent(read, undefined, () => undefined).isAnswer).toBe(false);
  });
});
