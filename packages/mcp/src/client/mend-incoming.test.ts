import { describe, expect, test } from 'vitest';
import { mendIncoming } from './mend-incoming.ts';

const answer = { jsonrpc: '2.0', id: 1, result: { content: [] } };
const failure = { jsonrpc: '2.0', id: 1, error: { code: -32_602, message: 'no' } };

describe('an answer', () => {
  test.each<[string, object, object]>([
    ['an error that is null', { ...answer, error: null }, answer],
    ['a result that is null beside an error', { ...failure, result: null }, failure],
    ['members of requests that are null', { ...answer, method: null, params: null }, answer],
    ['members that the protocol does not have', { ...answer, time: 7, _meta: {} }, answer],
    ['no word of the version', { id: 1, result: { content: [] } }, answer],
    ['null in the place of the version', { ...answer, jsonrpc: null }, answer],
    ['metadata that are null', { ...answer, result: { content: [], _meta: null } }, answer],
    ['a kind that is null', { ...answer, result: { content: [], resultType: null } }, answer],
    ['metadata that are an empty list', { ...answer, result: { content: [], _meta: [] } }, answer],
    ['an empty list for an empty object', { ...answer, result: [] }, { ...answer, result: {} }],
    [
      'an error that says nothing',
      { ...failure, error: { code: -32_602 } },
      { ...failure, error: { code: -32_602, message: '' } },
    ],
    [
      'an error with null for its text',
      { ...failure, error: { code: -32_602, message: null } },
      { ...failure, error: { code: -32_602, message: '' } },
    ],
    ['an error with null for its id', { ...failure, id: null }, { jsonrpc: '2.0', error: failure.error }],
  ])('with %s is read as without', (_what, said, read) => {
    expect(mendIncoming(said)).toEqual(read);
  });

  test.each<[string, unknown]>([
    ['right', answer],
    ['right, with metadata', { ...answer, result: { content: [], _meta: { a: null } } }],
    ['right, with null in its content', { ...answer, result: { content: [{ type: 'text', text: null }] } }],
    ['a result and an error', { ...answer, error: { code: 1, message: 'x' } }],
    ['a result that is null', { jsonrpc: '2.0', id: 1, result: null }],
    ['a result and an error that are null', { jsonrpc: '2.0', id: 1, result: null, error: null }],
    ['neither', { jsonrpc: '2.0', id: 1 }],
    ['of another version', { ...answer, jsonrpc: '1.0' }],
    ['an error that is a text', { jsonrpc: '2.0', id: 1, error: 'x' }],
    ['no object', [answer]],
    ['nothing', null],
  ])('that is %s stays the same', (_what, said) => {
    expect(mendIncoming(said)).toBe(said);
  });
});

describe('what a server says or asks', () => {
  const notice = { jsonrpc: '2.0', method: 'notifications/progress' };

  test.each<[string, object, object]>([
    ['params that are null', { ...notice, params: null }, notice],
    ['params that are an empty list', { ...notice, params: [] }, notice],
    ['an id that is null', { ...notice, id: null }, notice],
    ['members of answers that are null', { ...notice, result: null, error: null }, notice],
    [
      'parameters that are null',
      { ...notice, params: { progress: 1, total: null, message: null, _meta: null } },
      { ...notice, params: { progress: 1 } },
    ],
    [
      'metadata that are an empty list',
      { ...notice, params: { progress: 1, _meta: [] } },
      { ...notice, params: { progress: 1 } },
    ],
  ])('with %s is read as without', (_what, said, read) => {
    expect(mendIncoming(said)).toEqual(read);
  });

  test.each<[string, object]>([
    ['right', { ...notice, params: { progress: 1 } }],
    ['a text of the log that is null', { ...notice, params: { level: 'info', data: null } }],
    ['null within a parameter', { ...notice, params: { requestedSchema: { default: null } } }],
    ['an answer, too', { jsonrpc: '2.0', id: 1, method: 'ping', result: {} }],
    ['an error, too', { jsonrpc: '2.0', id: 1, method: 'ping', error: { code: 1, message: 'x' } }],
    ['a request whose id is null', { jsonrpc: '2.0', id: null, method: 'ping' }],
  ])('that is %s stays the same', (_what, said) => {
    expect(mendIncoming(said)).toBe(said);
  });
});
