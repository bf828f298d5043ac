import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createGate } from '@toolgate/core';
import { expect, test } from 'vitest';
import { serveFixture } from '../../test-support/serve-fixture.ts';
import { mountServers } from '../mount/mount-servers.ts';
import { serveMcp } from './serve-mcp.ts';

test('several servers behind one: what one of them cannot give does not take the others away', async () => {
  const backend = await serveFixture();
  const headers = { authorization: 'Bearer admin' };
  const { mounts, failed } = await mountServers([
    { name: 'works', transport: { kind: 'http', url: backend.listening.url, headers }, lock: 'off' },
    { name: 'is-gone', transport: { kind: 'http', url: 'http://127.0.0.1:1/mcp' }, lock: 'off' },
    { name: 'wants-a-login', transport: { kind: 'http', url: backend.listening.url }, lock: 'off' },
  ]);
  expect(failed.map(({ name, error }) => [name, error.code])).toEqual([
    ['is-gone', 'mcp/unavailable'],
    ['wants-a-login', 'mcp/unauthorized'],
  ]);
  const service = serveMcp(createGate({ tools: mounts.flatMap(({ tools }) => tools) }), {
    authenticate: () => ({ kind: 'accepted', principal: 'alice', context: {} }),
  });
  const { url } = await service.listen();
  const clients = await Promise.all(
    [1, 2].map(async () => {
      const client = new Client({ name: 'test', version: '1' });
      await client.connect(new StreamableHTTPClientTransport(new URL(url)));
      return client;
    }),
  );
  for (const client of clients) {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'works__add',
      'works__whoami',
      'works__restart',
      'works__fail',
    ]);
    expect(await client.callTool({ name: 'works__add', arguments: { a: 1, b: 2 } })).toMatchObject({
      structuredContent: { sum: 3 },
    });
  }
  await Promise.all(clients.map((client) => client.close()));
  await service.close();
  await Promise.all(mounts.map((mount) => mount.close()));
});
