import { defineTool, type Tool } from '@toolgate/core';
import { expect, test } from 'vitest';
import {
  type Caller,
  gateOf,
  INITIALIZE,
  REVISIONS,
  type Revision,
  serveFixture,
} from '../../../test-support/serve-fixture.ts';

/** Serves two tools and gives what posts a call of the second one, and which tools ran. */
async function serveTwo(revision: Revision) {
  const ran: string[] = [];
  const toolOf = (name: string): Tool<Caller> =>
    defineTool({
      name,
      description: '',
      input: { type: 'object' },
      execute: () => {
        ran.push(name);
        return 'done';
      },
    });
  const fixture = await serveFixture(gateOf([toolOf('ping'), toolOf('delete_all')]));
  const { post } = fixture;
  const isModern = revision === '2026-07-28';
  const head: Record<string, string> = isModern
    ? { 'mcp-protocol-version': revision, 'mcp-method': 'tools/call', 'mcp-name': 'delete_all' }
    : {};
  if (!isModern) {
    const opened = await post(INITIALIZE);
    await opened.text();
    head['mcp-session-id'] = opened.headers.get('mcp-session-id') ?? '';
  }
  const _meta = isModern
    ? {
        'io.modelcontextprotocol/protocolVersion': revision,
        'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      }
    : {};
  const params = { name: 'delete_all', arguments: {}, _meta };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  return { ran, call: (headers: Record<string, string>) => post(body, { ...head, ...headers }) };
}

const CASES = [
  ['another tool', { 'mcp-name': 'ping' }],
  ['two tools', { 'mcp-name': 'delete_all, ping' }],
  ['the tool in another case', { 'mcp-name': 'Delete_All' }],
  ['no tool', { 'mcp-name': '' }],
  ['another tool in base64', { 'mcp-name': `=?base64?${btoa('ping')}?=` }],
  ['another method', { 'mcp-method': 'tools/list' }],
] as const;

test.each(
  REVISIONS.flatMap((revision) => CASES.map(([name, headers]) => [revision, name, headers] as const)),
)('%s: a call whose headers name %s is refused, and nothing runs', async (revision, _name, headers) => {
  const { call, ran } = await serveTwo(revision);
  const response = await call(headers);
  const answer = (await response.json()) as { readonly error?: { readonly code: number } };
  expect([response.status, answer.error?.code, ran]).toEqual([400, -32_020, []]);
});

test.each(REVISIONS)('%s: a call whose headers agree with it runs the tool of the body', async (revision) => {
  const { call, ran } = await serveTwo(revision);
  const response = await call({ 'mcp-name': 'delete_all', 'mcp-method': 'tools/call' });
  await response.text();
  expect([response.status, ran]).toEqual([200, ['delete_all']]);
});
