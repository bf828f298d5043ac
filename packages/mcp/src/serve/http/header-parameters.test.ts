import { defineTool, type JsonObject, type Tool } from '@toolgate/core';
import { expect, test } from 'vitest';
import { type Caller, gateOf, serveFixture } from '../../../test-support/serve-fixture.ts';
import { hasHeaderParameters } from './header-parameters.ts';

const toolOf = (input: JsonObject): Tool<Caller> =>
  defineTool({ name: 't', description: '', input, execute: (value) => JSON.stringify(value) });

const REGIONAL: JsonObject = {
  type: 'object',
  properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
};

test.each([
  [true, REGIONAL],
  [true, { type: 'object', properties: { a: { anyOf: [{ type: 'string', 'x-mcp-header': 'A' }] } } }],
  [false, { type: 'object', properties: { region: { type: 'string' } } }],
] as const)('that a tool wants parameters in headers is %s of %j', (expected, input) => {
  expect(hasHeaderParameters(gateOf([toolOf(input)]))).toBe(expected);
});

test.each([
  ['agrees with the arguments', { 'mcp-param-region': 'eu' }, 200],
  ['says something else', { 'mcp-param-region': 'us' }, 400],
  ['is missing', {}, 400],
])('a call whose parameter header %s', async (_name, headers, status) => {
  const served = await serveFixture(gateOf([toolOf(REGIONAL)]));
  const params = {
    name: 't',
    arguments: { region: 'eu' },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  };
  const response = await served.post(
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 't',
      ...headers,
    },
  );
  const answer = (await response.json()) as { readonly error?: { readonly code: number } };
  expect([response.status, answer.error?.code]).toEqual([status, status === 200 ? undefined : -32_020]);
});
