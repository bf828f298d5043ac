import { expect, test } from 'vitest';
import { GROWTH, growth } from '../../../../test/support/growth.ts';
import { brokenAnswer } from './broken-answer.ts';

test.each<[string, string, string | number]>([
  ['a number that is none', '{"jsonrpc":"2.0","id":3,"result":{"structuredContent":{"v":NaN}}}', 3],
  ['one without an end', '{"id":"a","jsonrpc":"2.0","result":{"v":Infinity}}', 'a'],
  ['a tab in a string', '{"result":{"content":[{"type":"text","text":"a\tb"}]},"id":7}', 7],
  ['half of an error', '{"jsonrpc":"2.0","id":4,"error":{"code":1,', 4],
  ['a string without an end', '{"jsonrpc":"2.0","id":4,"result":{"text":"a\\"', 4],
  ['a comma too many', ' {"id" : -1 ,"result":{},}', -1],
  ['something behind it', '{"id":1,"result":{}} done', 1],
  ['the id of something else inside', '{"result":{"id":9,"v":NaN},"id":2}', 2],
])('an answer with %s is one to who waits for it', (_what, text, id) => {
  expect(brokenAnswer(text)).toMatchObject({ id, fault: { code: 'mcp/result-invalid' } });
});

test.each<[string, string]>([
  ['right', '{"jsonrpc":"2.0","id":3,"result":{}}'],
  ['no object', 'Listening on port 3'],
  ['a list', '[{"id":3,"result":NaN}]'],
  ['nothing', ''],
  ['a question', '{"id":3,"method":"ping","result":NaN}'],
  ['an answer to nobody', '{"result":{"v":NaN}}'],
  ['an answer to two', '{"id":3,"id":4,"result":NaN}'],
  ['an answer to no id', '{"id":{"id":3},"result":NaN}'],
  ['neither result nor error', '{"id":3,"level":NaN}'],
  ['an id without its end', '{"result":NaN,"id":3'],
])('a text that is %s answers nobody', (_what, text) => {
  expect(brokenAnswer(text)).toBeUndefined();
});

test.each(['\\"', '"', '\\', '{"a":', '[', ',"id":1'])(
  'a text made to be slow is looked at in linear time: %j',
  (piece) => {
    const read = (size: number) => brokenAnswer(`{"id":1,"result":"${piece.repeat(size)}`);
    expect(growth(read, 10_000)).toBeLessThan(GROWTH * 4);
  },
);
