import { createGate, defineTool } from '@toolgate/core';
import { expect, test } from 'vitest';
import { rejection } from '../../test-support/mount-fixture.ts';
import { Connection } from './connection.ts';
import { readServeOptions } from './serve-options.ts';
import { ServiceCore } from './service-core.ts';

const ping = defineTool({ name: 'ping', description: '', input: { type: 'object' }, execute: () => 'pong' });

function connected() {
  const core = new ServiceCore(createGate({ tools: [ping] }), readServeOptions({}));
  return { core, connection: new Connection(core, { principal: 'ana', context: {} }) };
}

test('a client that is gone begins no run, and nothing is kept of it', async () => {
  const { core, connection } = connected();
  await connection.close();
  expect(await rejection(connection.run())).toMatchObject({ name: 'AbortError' });
  expect(core.connections.size).toBe(0);
});

test('a client that goes while its run begins leaves nothing', async () => {
  const { core, connection } = connected();
  const running = connection.run().catch(() => undefined);
  expect(core.connections.size).toBe(1);
  await connection.close();
  await running;
  expect(core.connections.size).toBe(0);
});
