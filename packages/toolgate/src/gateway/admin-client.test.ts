import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { runMain } from '../../test-support/run-main.ts';
import type { CliIo } from '../terminal/cli-io.ts';
import { createAdminClient } from './admin-client.ts';

const env = { TOOLGATE_ADMIN_KEY: 'planted-admin-key' };
const EVENTS = { 'content-type': 'text/event-stream' };
const PENDING = `event: approval\ndata: ${JSON.stringify({ id: 'a', status: 'pending', tool: 'pay' })}\n\n`;

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What nobody holds is gone afterwards. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let turn = 0; turn < 5; turn++) {
    collect();
    await pause(10);
  }
}

test('an export that breaks off is told to be incomplete, with what finds a bad record', async () => {
  const url = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/jsonl' });
    response.write('{}\n', () => response.destroy());
  });
  const { code, stderr, stdout } = await runMain(['audit', 'export', '--url', url], { env });
  expect([code, stdout]).toEqual([1, '{}\n']);
  expect(stderr).toContain('broke its answer off');
  expect(stderr).toContain('"toolgate audit verify" says whether a record is bad. (cli/gateway-unreachable)');
});

describe('an exchange whose parts may have been collected as garbage', () => {
  test('ends with the command, whose connection is closed', async () => {
    const closed = vi.fn();
    const url = await serve((_request, response) => {
      response.on('close', closed).writeHead(200, EVENTS).write(PENDING);
    });
    const controller = new AbortController();
    const seen = vi.fn();
    const watching = runMain(['approvals', 'watch', '--url', url], {
      env,
      signal: controller.signal,
      onWrite: seen,
    });
    await vi.waitFor(() => expect(seen).toHaveBeenCalled(), { timeout: 10_000 });
    await collectGarbage();
    controller.abort(new Error('enough'));
    expect((await watching).code).toBe(1);
    await vi.waitFor(() => expect(closed).toHaveBeenCalled(), { timeout: 10_000 });
  }, 20_000);

  test.each([
    ['head', false],
    ['body', true],
  ])(
    'ends with its time, before the end of its %s',
    async (_what, begins) => {
      const limit = AbortSignal.timeout.bind(AbortSignal);
      const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => limit(500));
      try {
        const asked = vi.fn();
        const url = await serve((_request, response) => {
          asked();
          if (begins) response.writeHead(200, { 'content-type': 'application/json' }).write('{');
        });
        const running = runMain(['keys', 'list', '--url', url], { env });
        await vi.waitFor(() => expect(asked).toHaveBeenCalled(), { timeout: 10_000 });
        await collectGarbage();
        const { code, stderr } = await running;
        expect([code, stderr]).toEqual([1, expect.stringContaining('(cli/gateway-unreachable)')]);
      } finally {
        timeout.mockRestore();
      }
    },
    20_000,
  );
});

test('a stream that falls silent has broken off', async () => {
  const url = await serve((_request, response) => {
    response.writeHead(200, EVENTS).write(PENDING);
  });
  const sink: CliIo['stdout'] = { isTerminal: false, columns: undefined, write: async () => undefined };
  const client = await createAdminClient(
    { url, insecure: false },
    {
      stdin: (async function* () {})(),
      stdout: sink,
      stderr: sink,
      env,
      cwd: import.meta.dirname,
      signal: new AbortController().signal,
      now: Date.now,
    },
  );
  const pieces = await client.open('api/approvals/events', 'text/event-stream', { silenceMs: 50 });
  const read: string[] = [];
  const reading = (async () => {
    for await (const piece of pieces) read.push(Buffer.from(piece).toString());
  })();
  await expect(reading).rejects.toMatchObject({ code: 'cli/gateway-unreachable' });
  expect(read.join('')).toBe(PENDING);
});
