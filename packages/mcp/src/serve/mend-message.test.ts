import { expect, test } from 'vitest';
import { mendMessage } from './mend-message.ts';

const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' };

test.each([
  ['params', { ...call, params: null }, call],
  ['arguments', { ...call, params: { name: 'a', arguments: null } }, { ...call, params: { name: 'a' } }],
  ['a cursor', { ...call, params: { cursor: null } }, { ...call, params: {} }],
  ['_meta', { ...call, params: { name: 'a', _meta: null } }, { ...call, params: { name: 'a' } }],
  [
    'a member of _meta',
    { ...call, params: { _meta: { progressToken: null, a: 1 } } },
    { ...call, params: { _meta: { a: 1 } } },
  ],
])('null for %s is absent', (_what, message, mended) => {
  expect(mendMessage(message)).toEqual(mended);
});

test('null in a handshake is absent, and so in nothing else', () => {
  const params = {
    capabilities: { sampling: null, elicitation: { form: null } },
    clientInfo: { name: 'a', version: '1', title: null },
  };
  expect(mendMessage({ ...call, method: 'initialize', params })['params']).toEqual({
    capabilities: { elicitation: {} },
    clientInfo: { name: 'a', version: '1' },
  });
  expect(mendMessage({ ...call, params })['params']).toEqual(params);
});

test('null in the arguments of a call is what was written', () => {
  const params = { name: 'a', arguments: { a: null, b: [null], _meta: null } };
  expect(mendMessage({ ...call, params })['params']).toEqual(params);
});

test('what has no params, or others than an object, stays as it is', () => {
  for (const message of [call, { ...call, params: [null] }, { ...call, params: 'x' }])
    expect(mendMessage(message)).toBe(message);
});
