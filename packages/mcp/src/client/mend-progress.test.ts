import { expect, test } from 'vitest';
import { mendProgress, progressOf } from './mend-progress.ts';

const whole = { progressToken: 1, progress: 2, total: 4, message: 'Half.' };

test.each<[string, object, object]>([
  ['a number in a text', { ...whole, progress: '2', total: '4.0' }, whole],
  ['a total that is none', { ...whole, total: 'many' }, { progressToken: 1, progress: 2, message: 'Half.' }],
  [
    'a message that is none',
    { ...whole, message: { text: 'x' } },
    { progressToken: 1, progress: 2, total: 4 },
  ],
  ['what is beside it', { ...whole, progress: '2', _meta: { a: 1 } }, { ...whole, _meta: { a: 1 } }],
])('a report with %s is read by what it says', (_what, params, mended) => {
  expect(mendProgress(params as never)).toEqual(mended);
});

test.each([whole, { progressToken: 1, progress: 'soon' }, { progressToken: 1 }])(
  'a report that is right, or says nothing, stays as it is: %j',
  (params) => {
    expect(mendProgress(params as never)).toBe(params);
  },
);

const report = (progressToken?: unknown) => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progress: 1, ...(progressToken === undefined ? {} : { progressToken }) },
});

test.each([undefined, null, '', 'tool-call-4', '7724730363a945f8', {}])(
  'a report under the token %j is about the request that it comes in answer to',
  (token) => {
    expect(progressOf(report(token), 7)).toEqual(report(7));
  },
);

test.each([
  report(7),
  report('7'),
  report(8),
  { jsonrpc: '2.0', method: 'notifications/message', params: {} },
  null,
])('%j stays as it is', (message) => {
  expect(progressOf(message, 7)).toBe(message);
});
