import { expect, test } from 'vitest';
import { McpError } from '../mcp-error.ts';
import { readMessages } from './read-messages.ts';

const one = { jsonrpc: '2.0', id: 1, result: {} };
const unusable = { id: 1, result: { content: null } };

test.each<[string, string, readonly unknown[], boolean]>([
  ['one message', JSON.stringify(one), [one], false],
  ['several in a list', JSON.stringify([one, { ...one, id: 2 }]), [one, { ...one, id: 2 }], true],
  ['one in an odd form', '{"id":1,"result":{},"error":null}', [one], true],
  [
    'half of a pair',
    '{"jsonrpc":"2.0","id":1,"result":{"a":"\\ud800\\ud83d\\ude00"}}',
    [{ ...one, result: { a: '\ud800😀' } }],
    false,
  ],
  ['an answer that is none', '{"jsonrpc":"2.0","id":1,"result":null}', [unusable], true],
  [
    'an answer of two kinds',
    '{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"x"}}',
    [unusable],
    true,
  ],
  ['what is no message', '{"hello":1}', [{ hello: 1 }], false],
  ['an empty list', '[]', [], true],
])('of %s is read what it says', (_what, text, messages, isMended) => {
  expect(readMessages(text)).toMatchObject({ messages, isMended });
});

test('what is no JSON is nothing, and what is ambiguous is a fault, also behind half of a pair', () => {
  expect(readMessages('{"id":1')).toBeUndefined();
  for (const text of ['{"a":1,"a":2}', '{"b":"\\ud800","a":1,"a":2}', '{"b":"\\\\\\ud800","a":1,"a":2}'])
    expect(McpError.is(readMessages(text))).toBe(true);
});
