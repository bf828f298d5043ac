import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@toolgate/core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ask, askPayment } from '../../test-support/admin.ts';
import { CLIENT_KEY, type TestGateway, testConfig, withGateway } from '../../test-support/gateway-fixture.ts';
import { type OpenAnswer, openPost } from '../../test-support/post.ts';
import type { ApprovalListener, ApprovalRecord } from '../ports/approval-store.ts';
import { watchApprovals } from './watch-approvals.ts';

interface Seen {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: {
    readonly items?: readonly { readonly id: string }[];
    readonly id?: string;
    readonly status?: string;
  };
}

/** Reads events until there are so many. */
function readEvents(response: IncomingMessage, count: number): Promise<readonly Seen[]> {
  return new Promise((resolve, reject) => {
    const seen: Seen[] = [];
    let text = '';
    const look = (chunk: Buffer): void => {
      text += chunk.toString('utf8');
      const messages = text.split('\n\n');
      text = messages.pop() ?? '';
      for (const message of messages) if (!message.startsWith(':')) seen.push(readMessage(message));
      if (seen.length < count) return;
      response.off('data', look);
      resolve(seen);
    };
    response.on('data', look);
    response.once('close', () => reject(new Error('The stream ended.')));
  });
}

function readMessage(message: string): Seen {
  const fields = new Map(
    message.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  return {
    event: fields.get('event') ?? '',
    id: fields.get('id'),
    data: JSON.parse(fields.get('data') ?? '') as Seen['data'],
  };
}

function watch({ url }: TestGateway, lastEventId?: string, key?: string): Promise<OpenAnswer> {
  const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
  return openPost(`${url}/api/approvals/events`, '', { method: 'GET', headers, key });
}

const withAdmin = <Result>(use: (gateway: TestGateway) => Promise<Result>): Promise<Result> =>
  withGateway({ providers: {}, grants: { admin: true, limits: { concurrency: 1 } } }, use);

describe('whoever watches approvals', () => {
  test('sees what is pending, then each change, without arguments, and holds no place of its key', async () => {
    await withAdmin(async (gateway) => {
      await askPayment(gateway, 'a', 987_654);
      const { leave, response } = await watch(gateway);
      expect(response.headers).toMatchObject({
        'content-type': 'text/event-stream; charset=utf-8',
        'x-accel-buffering': 'no',
      });
      const [snapshot] = await readEvents(response, 1);
      expect(snapshot).toMatchObject({
        event: 'snapshot',
        data: { items: [{ id: 'a', status: 'pending' }] },
      });
      const changes = readEvents(response, 2);
      expect((await ask(gateway, '/api/approvals/a/decline', {})).status).toBe(200);
      await askPayment(gateway, 'b');
      const seen = await changes;
      expect(seen).toMatchObject([
        { event: 'approval', data: { id: 'a', status: 'declined', origin: 'llm' } },
        { event: 'approval', data: { id: 'b', status: 'pending' } },
      ]);
      expect(Number(seen[1]?.id)).toBeGreaterThan(Number(seen[0]?.id));
      expect(JSON.stringify([snapshot, seen])).not.toContain('987654');
      leave();
    });
  });

  test('and comes back goes on behind what it saw last', async () => {
    await withAdmin(async (gateway) => {
      await askPayment(gateway, 'a');
      const { revision } = (await gateway.stores.approvals.get('a')) ?? {};
      await askPayment(gateway, 'b');
      const again = await watch(gateway, String(revision));
      expect(await readEvents(again.response, 1)).toMatchObject([{ event: 'approval', data: { id: 'b' } }]);
      again.leave();
      // Nothing was changed so often yet: it was another database.
      for (const last of ['-1', '999999999']) {
        const nonsense = await watch(gateway, last);
        expect(await readEvents(nonsense.response, 1)).toMatchObject([{ event: 'snapshot' }]);
        nonsense.leave();
      }
    });
  });

  test('and comes back after many changes gets every one of them', async () => {
    await withAdmin(async (gateway) => {
      await askPayment(gateway, 'a');
      const { revision } = (await gateway.stores.approvals.get('a')) ?? {};
      for (let count = 0; count < 100; count += 1) await askPayment(gateway, `b${count}`);
      const again = await watch(gateway, String(revision));
      const seen = await readEvents(again.response, 100);
      expect(seen.map(({ data, event }) => [event, data.id])).toEqual(
        Array.from({ length: 100 }, (_, count) => ['approval', `b${count}`]),
      );
      again.leave();
    });
  });

  test('cannot narrow what it sees by a query that nobody reads', async () => {
    await withAdmin(async (gateway) => {
      for (const path of ['/api/approvals/events?status=pending', '/api/openapi.json?format=yaml']) {
        const { body, status } = await ask(gateway, path);
        expect([status, body]).toMatchObject([400, { error: { code: 'entry_invalid' } }]);
      }
    });
  });

  test('and comes back before anything has changed goes on behind the snapshot', async () => {
    await withAdmin(async (gateway) => {
      await askPayment(gateway, 'a');
      await gateway.stores.approvals.decide('a', { verdict: 'approve', by: 'rex' });
      const first = await watch(gateway);
      const [snapshot] = await readEvents(first.response, 1);
      expect(snapshot).toMatchObject({ event: 'snapshot', data: { items: [] } });
      first.leave();
      // Nobody looks while it comes and goes.
      await askPayment(gateway, 'b');
      await gateway.stores.approvals.decide('b', { verdict: 'decline', by: 'rex' });
      const again = await watch(gateway, snapshot?.id);
      expect(await readEvents(again.response, 1)).toMatchObject([
        { event: 'approval', data: { id: 'b', status: 'declined' } },
      ]);
      again.leave();
    });
  });

  test.each([
    [
      'was revoked',
      async ({ stores }: TestGateway, id: string) => void (await stores.keys.revoke(id, 'root')),
    ],
    [
      'is not in the configuration any more',
      async ({ gateway }: TestGateway) => {
        const keys = testConfig({ providers: {} }).keys;
        await gateway.reload(testConfig({ providers: {}, config: { keys } }));
      },
    ],
  ])('is cut off when its key %s, and nobody else is', async (what, end) => {
    await withAdmin(async (gateway) => {
      const made = await gateway.stores.keys.create({
        principal: 'bob',
        grants: { admin: true },
        by: 'root',
      });
      const key = what === 'was revoked' ? made.key : CLIENT_KEY;
      const other = what === 'was revoked' ? CLIENT_KEY : made.key;
      const [watching, staying] = [
        await watch(gateway, undefined, key),
        await watch(gateway, undefined, other),
      ];
      let left = false;
      staying.response.once('close', () => {
        left = true;
      });
      const ended = watching.rest();
      await end(gateway, made.record.id);
      expect((await ended).broken).toBe(true);
      expect(left).toBe(false);
      staying.leave();
    });
  });

  test('is one of 256 at most, and makes room when it leaves', async () => {
    await withAdmin(async (gateway) => {
      const watching = await Promise.all(Array.from({ length: 256 }, () => watch(gateway)));
      expect(watching.map(({ response }) => response.statusCode)).toEqual(watching.map(() => 200));
      const refused = await watch(gateway);
      expect(await refused.rest()).toMatchObject({
        status: 429,
        body: expect.stringContaining('too_many_requests'),
      });
      for (const { leave } of watching) leave();
      await expect
        .poll(async () => {
          const again = await watch(gateway);
          again.leave();
          return again.response.statusCode;
        })
        .toBe(200);
    });
  });

  test('is cut off when the gateway is closed, which does not wait for it', async () => {
    await withAdmin(async (gateway) => {
      const { rest } = await watch(gateway);
      const ended = rest();
      await gateway.gateway.close(60_000);
      expect((await ended).broken).toBe(true);
    });
  });
});

test('whoever takes nothing is given no more than the socket holds, and told to read anew when it takes again', async () => {
  let listener: ApprovalListener = () => undefined;
  let subscribed = true;
  let waiting = 0;
  const approvals = {
    subscribe: (given: ApprovalListener) => {
      listener = given;
      return () => {
        subscribed = false;
      };
    },
    list: async () => ({ items: [] }),
  };
  let begun: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const errors: unknown[] = [];
  const server = createServer((_request, response) => {
    const position = async (): Promise<number> => 0;
    const options = { approvals, response, clock: systemClock, requestId: 'r', position, after: undefined };
    void watchApprovals({ ...options, onError: (error) => errors.push(error) }).then(() => {
      // A megabyte and more for each thousand.
      for (let revision = 1; revision <= 20_000; revision += 1) {
        listener({ id: 'x', revision, why: 'y'.repeat(1_000) } as unknown as ApprovalRecord);
        waiting = Math.max(waiting, response.writableLength);
      }
      begun();
    });
  });
  onTestFinished(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const response = await new Promise<IncomingMessage>((resolve) => {
    get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent: false }, resolve);
  });
  response.on('error', () => undefined);
  await ready;
  expect(waiting).toBeLessThan(1_000_000);
  const events: string[] = [];
  await new Promise<void>((resolve) => {
    let text = '';
    response.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      for (const [, event = ''] of text.matchAll(/^event: (\w+)$/gm)) events.push(event);
      text = text.slice(text.lastIndexOf('\n') + 1);
      if (events.includes('reset')) resolve();
    });
  });
  expect(events.length).toBeLessThan(20_000);
  expect(events.filter((event) => event === 'reset')).toHaveLength(1);
  expect(events.at(-1)).toBe('reset');
  response.destroy();
  await expect.poll(() => subscribed).toBe(false);
  expect(errors).toEqual([]);
});
