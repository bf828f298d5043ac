import { describe, expect, onTestFinished, test } from 'vitest';
import { callDirectly, rejection } from '../../test-support/mount-fixture.ts';
import { plainTool, ScriptedServer } from '../../test-support/scripted-server.ts';
import { McpError } from '../mcp-error.ts';
import { mountMcp } from '../mount/mount-mcp.ts';

const limits = { connectTimeoutMs: 2_000, listTimeoutMs: 2_000, restartMs: { first: 1, max: 1 } };

/** A server that dies when it has got so many messages, and from then on never again. */
class MortalServer extends ScriptedServer {
  constructor(life: number) {
    super({ tools: [plainTool('work')] });
    let left = life;
    const { push } = this.received;
    this.received.push = (...messages) => {
      left -= 1;
      if (left === 0) this.die();
      return push.apply(this.received, messages);
    };
  }
}

// A rejection that nobody handles fails the run; that is the test.
describe('a server that dies at its message', () => {
  test.each(Array.from({ length: 8 }, (_, index) => [index + 1]))(
    'number %i ends in a named error or an outcome, and the mount can be used or is gone',
    async (life) => {
      const server = new MortalServer(life);
      const mounting = mountMcp({ name: 's', lock: 'off', transport: server.transport, limits });
      const mount = await mounting.catch((error: unknown) => error);
      if (McpError.is(mount)) {
        expect(['mcp/unavailable', 'mcp/interrupted', 'mcp/list-invalid']).toContain(mount.code);
        return;
      }
      const mounted = await mounting;
      onTestFinished(() => mounted.close());
      const outcomes: string[] = [];
      for (let count = 0; count < 6; count += 1) {
        const outcome = await callDirectly(mounted, 'work').catch((error: unknown) => error);
        outcomes.push(outcome instanceof Error ? outcome.name : 'completed');
      }
      // It dies once: at most one call is not answered, and which one that is, is said.
      expect(outcomes.filter((each) => each !== 'completed').join()).toMatch(/^(CallError|Failure)?$/);
    },
  );
});

test('a mount knows whether it is connected, once it has told of the break', async () => {
  const server = new ScriptedServer({ tools: [plainTool('work')] });
  const told: boolean[] = [];
  const mount = await mountMcp({
    name: 's',
    lock: 'off',
    transport: server.transport,
    limits,
    observe: ({ kind }) => {
      if (kind === 'problem') queueMicrotask(() => told.push(mount.connected));
    },
  });
  onTestFinished(() => mount.close());
  expect(mount.connected).toBe(true);
  server.die();
  await expect.poll(() => told).toEqual([false]);
  await mount.refresh();
  expect(mount.connected).toBe(true);
});

describe('closing', () => {
  test.each(Array.from({ length: 6 }, (_, index) => [index]))(
    'after %i turns of the event loop ends a call, a refresh and the connection, and nothing is left open',
    async (turns) => {
      const server = new ScriptedServer({ tools: [plainTool('work')] });
      const mount = await mountMcp({ name: 's', lock: 'off', transport: server.transport, limits });
      server.script.call = () => new Promise(() => undefined);
      const work = Promise.allSettled([
        callDirectly(mount, 'work'),
        mount.refresh(),
        callDirectly(mount, 'work'),
      ]);
      for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      await Promise.all([mount.close(), mount.close()]);
      const settled = await work;
      expect(settled.map(({ status }) => status)).toContain('rejected');
      expect(await rejection(mount.refresh())).toMatchObject({ code: 'mcp/closed' });
    },
  );

  test('while the server is mounted ends the mounting', async () => {
    const server = new ScriptedServer({ page: () => new Promise(() => undefined) });
    const stop = new AbortController();
    const mounting = mountMcp({
      name: 's',
      lock: 'off',
      transport: server.transport,
      limits,
      signal: stop.signal,
    });
    mounting.catch(() => undefined);
    await expect.poll(() => server.of('tools/list').length).toBe(1);
    stop.abort(new Error('enough'));
    expect(await rejection(mounting)).toMatchObject({ message: 'enough' });
  });
});
