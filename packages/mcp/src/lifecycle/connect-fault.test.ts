import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { mountFixture, rejection } from '../../test-support/mount-fixture.ts';
import { json, scriptedHttp } from '../../test-support/scripted-http.ts';
import { plainTool } from '../../test-support/scripted-server.ts';
import type { MountEvent } from '../mount/mount-event.ts';
import { mountMcp } from '../mount/mount-mcp.ts';
import { whyUnusable, wordsOf } from './connect-fault.ts';

const http = (status: number, text: string): SdkHttpError =>
  new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, 'Error POSTing', { status, text });

test.each<[string, unknown, string | undefined, string]>([
  ['a state', http(503, 'down'), 'it answered with the state 503', 'down'],
  ['another place', http(307, ''), 'it sends elsewhere (state 307), which is not followed', 'Error POSTing'],
  ['an error', new ProtocolError(-32_000, 'no key'), 'it answered with the error -32000', 'no key'],
  ['nothing in time', new SdkError(SdkErrorCode.RequestTimeout, 'x'), 'it gave no answer in time', ''],
  [
    'a page',
    new SdkError(SdkErrorCode.ClientHttpUnexpectedContent, 'text/evil'),
    'it answered with what is no message of the protocol',
    '',
  ],
  [
    'an unknown revision',
    new Error("Server's protocol version is not supported: 1.0"),
    'it speaks no revision of the protocol that is known here',
    '',
  ],
  [
    'a name that nobody has',
    new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'ENOTFOUND' }) }),
    'it could not be reached (ENOTFOUND)',
    '',
  ],
  ['a code that is a text', Object.assign(new Error('x'), { code: 'evil words' }), undefined, ''],
  ['something else', new Error('x'), undefined, ''],
  ['no error', undefined, undefined, ''],
])('%s is told in our words, and what the server says apart from them', (_what, error, why, words) => {
  expect([whyUnusable(error), wordsOf(error)]).toEqual([why, words]);
});

/** What is told of a mounting that fails. */
async function failure(intercept: Awaited<ReturnType<typeof scriptedHttp>>['intercept']) {
  const server = await scriptedHttp([plainTool('work')]);
  server.intercept = intercept;
  const events: MountEvent[] = [];
  const error = await rejection(
    mountMcp({
      name: 'far',
      lock: 'off',
      transport: { ...server.transport, headers: { authorization: 'Bearer a-token-of-ours' } },
      observe: (event) => events.push(event),
      limits: { connectTimeoutMs: 2_000 },
    }),
  );
  const problems = events.flatMap((event) => (event.kind === 'problem' ? [event.problem] : []));
  return {
    message: error instanceof Error ? error.message : '',
    details: problems.map(({ detail }) => detail),
  };
}

test('a server that cannot be used says why, and what it says is kept without our secrets', async () => {
  const refused = await failure(
    ({ rpc, id, headers }, response) =>
      rpc === 'initialize' &&
      json(response, 200, {
        jsonrpc: '2.0',
        id,
        error: { code: -32_000, message: `no project for ${String(headers.authorization)}\u0007` },
      }),
  );
  expect(refused.message).toBe(
    'The server far could not be started or reached: it answered with the error -32000.',
  );
  expect(refused.details).toEqual([expect.stringMatching(/^no project for .*redacted.*\\u\{7\}$/)]);
  expect(refused.details.join()).not.toContain('a-token-of-ours');

  const page = await failure((_request, response) => {
    response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>not here</h1>');
    return true;
  });
  expect(page.message).toContain('it answered with the state 404');
  expect(page.details).toEqual(['<h1>not here</h1>']);

  const list = await failure(
    ({ rpc, id }, response) =>
      rpc === 'tools/list' &&
      json(response, 200, { jsonrpc: '2.0', id, error: { code: -32_603, message: 'no database' } }),
  );
  expect(list).toEqual({
    message: 'The tools of the server far could not be read: it answered with the error -32603.',
    details: ['no database'],
  });
});

test('what a server refuses when its list is read again is kept, too', async () => {
  const server = await scriptedHttp([plainTool('work')]);
  const mount = await mountFixture({ transport: server.transport });
  server.intercept = ({ rpc }, response) => rpc === 'tools/list' && json(response, 500, { error: 'busy' });
  await rejection(mount.refresh());
  expect(mount.report.problems).toMatchObject([
    {
      code: 'mcp/list-invalid',
      message: expect.stringContaining('the state 500'),
      detail: '{"error":"busy"}',
    },
  ]);
});
