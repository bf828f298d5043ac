import type { JsonValue } from '@toolgate/core';
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

test.each([
  ['params', { ...call, params: [] }, call],
  [
    'arguments',
    { ...call, params: { name: 'a', arguments: [] } },
    { ...call, params: { name: 'a', arguments: {} } },
  ],
  ['_meta', { ...call, params: { name: 'a', _meta: [] } }, { ...call, params: { name: 'a', _meta: {} } }],
])('an empty list for %s is the empty object', (_what, message, mended) => {
  expect(mendMessage(message)).toEqual(mended);
});

test('a list in the arguments of a call, or one that is not empty, is what was written', () => {
  for (const args of [{ a: [] }, [1], [[]]]) {
    const message = { ...call, params: { name: 'a', arguments: args } };
    expect(mendMessage(message)).toEqual(message);
  }
});

test('what a client can do it says by an object, an empty list or a word', () => {
  const said = (capabilities: JsonValue) =>
    mendMessage({ ...call, method: 'initialize', params: { capabilities } })['params'];
  expect(said([])).toEqual({ capabilities: {} });
  expect(said({ roots: true, sampling: [], elicitation: { form: {} }, experimental: false })).toEqual({
    capabilities: { roots: {}, sampling: {}, elicitation: { form: {} } },
  });
});

test('null for the members of an answer is absent, and for the id of what has none, and for no other id', () => {
  expect(mendMessage({ ...call, result: null, error: null })).toEqual(call);
  const notice = { jsonrpc: '2.0', method: 'notifications/initialized' };
  expect(mendMessage({ ...notice, id: null })).toEqual(notice);
  const nobody = { ...call, id: null };
  expect(mendMessage(nobody)).toBe(nobody);
  const answer = { jsonrpc: '2.0', id: 1, result: null };
  expect(mendMessage(answer)).toBe(answer);
});

test('what has no params, or others than an object, stays as it is', () => {
  for (const message of [call, { ...call, params: [null] }, { ...call, params: 'x' }])
    expect(mendMessage(message)).toBe(message);
});
