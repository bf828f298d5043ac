import { expect, test } from 'vitest';
import { isGatewayConfig } from './gateway-servers.ts';

const servers = { mail: { command: 'mail' } };

test.each([
  [{ mcp: { servers, lock: {} } }],
  [{ mcp: { servers: { ...servers, files: { command: 'files', classes: [] } } } }],
  [{ mcp: { servers: { mail: { command: 'mail', approve: 'write' } } } }],
  [{ $schema: './node_modules/@toolgate/gateway/schema/config.schema.json', mcp: { servers } }],
  [{ mcp: { servers }, providers: {} }],
])('a configuration that has what only a gateway has is that of a gateway: %j', (config) => {
  expect(isGatewayConfig(JSON.stringify(config))).toBe(true);
});

test.each([
  [{ mcp: { servers } }],
  [{ mcp: { servers }, $schema: 'https://example.org/config.schema.json' }],
  [{ mcpServers: servers, mcp: { lock: {} } }],
  [{ mcp: [], servers }],
])('any other is that of an editor: %j', (config) => {
  expect(isGatewayConfig(JSON.stringify(config))).toBe(false);
});
