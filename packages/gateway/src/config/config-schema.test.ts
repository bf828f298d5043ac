import type { JsonObject, JsonValue } from '@toolgate/core';
import { expect, test } from 'vitest';
import { CONFIG_SCHEMA } from './config-schema.ts';
import { readConfigValue } from './config-text.ts';
import { readConfig } from './read-config.ts';

const config = readConfig(
  readConfigValue({
    keys: [{ id: 'ana', key: 'a-virtual-key-of-the-tests' }],
    providers: { main: { protocol: 'openai-chat', baseUrl: 'http://127.0.0.1:9/v1' } },
    routes: [{ model: 'm', candidates: [{ provider: 'main' }], firewall: {} }],
    mcp: { servers: { files: { command: 'server' } } },
    approvals: { webhook: { url: 'https://hooks.example/x', secret: 'a-secret-of-the-tests' } },
  }),
  {},
);
const route = config.routes[0];
const key = config.keys[0];

function within(schema: JsonValue, ...names: readonly string[]): JsonObject {
  let at = schema as JsonObject;
  for (const name of names) at = at[name] as JsonObject;
  return at;
}

const part = (...names: readonly string[]): JsonObject =>
  within(CONFIG_SCHEMA, ...names.flatMap((name) => ['properties', name]), 'properties');
const defined = (name: string, ...names: readonly string[]): JsonObject =>
  within(CONFIG_SCHEMA, '$defs', name, ...names.flatMap((each) => ['properties', each]), 'properties');

test.each<[string, JsonObject, unknown]>([
  ['listen', part('listen'), config.listen],
  ['auth', part('auth'), config.auth],
  ['storage', part('storage'), { ...config.storage, url: config.storage.url.reveal() }],
  ['audit', part('audit'), config.audit],
  ['approvals', part('approvals'), config.approvals],
  ['a webhook', part('approvals', 'webhook'), config.approvals.webhook],
  ['limits', part('limits'), config.limits],
  ['the lock', part('mcp', 'lock'), config.mcp.lock],
  ['a key', defined('key'), { ...key, ...key?.grants }],
  ['the tools of a key', defined('toolRules'), { default: key?.grants.toolsDefault }],
  ['the times of a provider', defined('provider', 'timeouts'), config.providers.get('main')?.timeouts],
  ['a route', defined('route'), { ...route, name: 'what model says' }],
  ['a firewall', defined('firewall'), route?.firewall],
  ['an MCP server', defined('mcpServer'), { approve: 'none', ...config.mcp.servers.get('files') }],
])('the defaults that the schema names of %s are the real ones', (_, properties, value) => {
  const named = Object.entries(properties).flatMap(([name, schema]) => {
    const { description } = schema as { readonly description?: string };
    const word = /Default: (\S+)\.$/.exec(description ?? '')?.[1];
    return word === undefined ? [] : [[name, word]];
  });
  expect(named.length).toBeGreaterThan(0);
  const real = new Map<string, unknown>(Object.entries(value as object));
  expect(named).toEqual(named.map(([name = '']) => [name, wordOf(real.get(name))]));
});

function wordOf(value: unknown): string {
  return Array.isArray(value) && value.length === 0 ? 'none' : String(value);
}
