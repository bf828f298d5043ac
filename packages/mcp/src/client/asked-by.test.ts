import { expect, test } from 'vitest';
import { askedBy } from './asked-by.ts';

const post = (message: object): RequestInit => ({ method: 'POST', body: JSON.stringify(message) });

test.each<[string, RequestInit | undefined, unknown]>([
  ['a request', post({ jsonrpc: '2.0', id: 0, method: 'ping' }), { id: 0 }],
  ['a notice', post({ jsonrpc: '2.0', method: 'notifications/initialized' }), { isNotice: true }],
  ['an answer', post({ jsonrpc: '2.0', id: 1, result: {} }), { id: undefined }],
  ['another body of JSON', post({ client_name: 'x' }), undefined],
  ['a form', { method: 'POST', body: new URLSearchParams({ a: 'b' }) }, undefined],
  ['a reading', { method: 'GET' }, undefined],
  ['nothing', undefined, undefined],
])('of %s is known what it asks', (_what, init, asked) => {
  expect(askedBy(init)).toEqual(asked);
});
