import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { createFakeClock } from '@toolgate/testing';
import { afterEach, describe, expect, test } from 'vitest';
import { Secret } from '../config/secret.ts';
import type { ApprovalListener, ApprovalRecord } from '../ports/approval-store.ts';
import { startWebhook, type WebhookOptions } from './webhook.ts';

const record: ApprovalRecord = {
  id: 'ap_1',
  status: 'pending',
  origin: 'llm',
  place: 'main',
  keyId: 'k1',
  principal: 'team',
  callId: 'call_1',
  tool: 'pay',
  class: 'external',
  contractDigest: `sha256:${'1'.repeat(64)}`,
  argumentsDigest: `sha256:${'2'.repeat(64)}`,
  requestedAt: 1_000,
  expiresAt: 2_000,
  request: { arguments: { card: 'planted' } } as unknown as NonNullable<ApprovalRecord['request']>,
  definition: { name: 'pay', description: 'planted', inputSchema: { type: 'object' } },
  settlement: { by: 'ana', at: 1_500, reason: 'planted' },
  revision: 7,
};

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A receiver that answers with these statuses, then with 204. */
async function receiver(...statuses: readonly number[]) {
  const received: Received[] = [];
  const answers = [...statuses];
  const server: Server = createServer((message, response) => {
    let body = '';
    message.on('data', (chunk) => {
      body += chunk;
    });
    message.on('end', () => {
      received.push({ headers: message.headers, body });
      const status = answers.shift() ?? 204;
      response.writeHead(status, status === 302 ? { location: `/elsewhere` } : {}).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => new Promise((resolve) => server.close(resolve)));
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
  return { received, url };
}

function started(url: URL, options: Partial<WebhookOptions> & { readonly contents?: boolean } = {}) {
  const listeners = new Set<ApprovalListener>();
  const clock = createFakeClock({ now: 1_700_000_000_500 });
  const losses: unknown[] = [];
  const webhook = startWebhook({
    config: { url, secret: new Secret('shared secret'), contents: options.contents ?? false },
    approvals: {
      subscribe: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    clock,
    onLoss: (...loss) => losses.push(loss),
    ...(options.attemptMs === undefined ? {} : { attemptMs: options.attemptMs }),
  });
  cleanups.push(() => webhook.close());
  const tell = (change: Partial<ApprovalRecord> = {}): void => {
    for (const listener of listeners) listener({ ...record, ...change });
  };
  return { tell, clock, losses, webhook, listeners };
}

/** Writes for as long as somebody takes it. */
function pour(response: ServerResponse): void {
  if (response.destroyed) return;
  response.write('x'.repeat(65_536), () => pour(response));
}

/** Lets real input and output happen until something holds. */
async function until(holds: () => boolean): Promise<void> {
  for (let round = 0; !holds(); round++) {
    if (round > 2_000) throw new Error('it never happened');
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

describe('a webhook', () => {
  test('tells of a change, signed, without contents', async () => {
    const { received, url } = await receiver();
    started(url).tell();
    await until(() => received.length === 1);
    const [{ headers, body } = { headers: {}, body: '' }] = received;
    expect(JSON.parse(body)).toMatchObject({
      type: 'approval.pending',
      revision: 7,
      data: { id: 'ap_1', tool: 'pay', principal: 'team', settledBy: 'ana' },
    });
    expect(body).not.toContain('planted');
    expect(headers['webhook-id']).toBe('ap_1.7');
    expect(headers['webhook-timestamp']).toBe('1700000000');
    const expected = createHmac('sha256', 'shared secret')
      .update(`ap_1.7.1700000000.${body}`)
      .digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${expected}`);
  });

  test('tells that the time of an approval is nearly over, as a message of its own', async () => {
    const { received, url } = await receiver();
    const { tell, webhook } = started(url);
    tell();
    webhook.tellExpiring(record);
    await until(() => received.length === 2);
    expect(received[1]?.headers['webhook-id']).toBe('ap_1.7.expiring');
    expect(received[1]?.body).not.toContain('planted');
    expect(JSON.parse(received[1]?.body ?? '')).toMatchObject({
      type: 'approval.expiring',
      revision: 7,
      data: { id: 'ap_1', expiresAt: 2_000 },
    });
    await webhook.close();
    // The answer to the second one may not have come by then.
    const { lost } = webhook;
    webhook.tellExpiring(record);
    expect(webhook.lost).toBe(lost);
  });

  test('has contents when that is written', async () => {
    const { received, url } = await receiver();
    started(url, { contents: true }).tell();
    await until(() => received.length === 1);
    expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({
      data: { arguments: { card: 'planted' }, reason: 'planted' },
    });
  });

  test('tries again after a failure, with the same id and a signature of its own, and keeps the order', async () => {
    const { received, url } = await receiver(500, 429);
    const { tell, clock } = started(url);
    tell();
    tell({ revision: 8, status: 'approved' });
    await until(() => received.length === 1);
    await clock.advance(999);
    expect(received).toHaveLength(1);
    await until(() => clock.pending > 0);
    await clock.advance(1_000);
    await until(() => received.length === 2);
    await until(() => clock.pending > 0);
    await clock.advance(5_000);
    await until(() => received.length === 4);
    expect(received.map(({ headers }) => headers['webhook-id'])).toEqual([
      'ap_1.7',
      'ap_1.7',
      'ap_1.7',
      'ap_1.8',
    ]);
    const signatures = received.slice(0, 3).map(({ headers }) => headers['webhook-signature']);
    expect(new Set(signatures).size).toBe(3);
  });

  test('gives up what the receiver does not want, and follows no redirect', async () => {
    const { received, url } = await receiver(410, 302);
    const { tell, losses, webhook } = started(url);
    tell();
    tell({ revision: 8 });
    tell({ revision: 9 });
    await until(() => received.length === 3);
    expect(losses).toEqual([
      ['refused', { id: 'ap_1.7' }, 410],
      ['refused', { id: 'ap_1.8' }, 302],
    ]);
    expect(webhook.lost).toBe(2);
  });

  test.each([
    ['that never ends', (response: ServerResponse) => response.writeHead(200).write('x')],
    ['that is endless', (response: ServerResponse) => response.writeHead(200) && pour(response)],
  ])('takes an answer %s for given, and goes on with the next message', async (_what, answer) => {
    const ids: unknown[] = [];
    const server = createServer((message, response) => {
      ids.push(message.headers['webhook-id']);
      message.resume();
      response.on('error', () => undefined);
      answer(response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanups.push(() => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    });
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
    const { tell, clock, losses, webhook } = started(url, { attemptMs: 250 });
    for (const revision of [7, 8, 9]) tell({ revision });
    for (let round = 0; !ids.includes('ap_1.9'); round++) {
      if (round > 2_000) throw new Error('it never happened');
      // A machine that is busy may not even see the beginning of an answer in time; then it is asked again.
      await clock.advance(1_000);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    expect([...new Set(ids)]).toEqual(['ap_1.7', 'ap_1.8', 'ap_1.9']);
    expect(losses).toEqual([]);
    await webhook.close();
    // The answer to the last one may not have begun by then.
    expect(
      losses.filter((loss) => !isDeepStrictEqual(loss, ['stopped', { id: 'ap_1.9' }, undefined])),
    ).toEqual([]);
  });

  test('gives up after five attempts where nobody answers', async () => {
    const { url } = await receiver();
    // Nobody listens there any more.
    await cleanups.pop()?.();
    const { tell, clock, losses } = started(url);
    tell();
    for (const delay of [1_000, 5_000, 30_000, 120_000]) {
      await until(() => clock.pending > 0);
      await clock.advance(delay);
    }
    await until(() => losses.length === 1);
    expect(losses).toEqual([['unreachable', { id: 'ap_1.7' }, undefined]]);
  });

  test('keeps a thousand messages at most, and counts the others', async () => {
    const { received, url } = await receiver(503);
    const { tell, losses } = started(url);
    for (let revision = 1; revision <= 1_010; revision++) tell({ revision });
    // One is on its way, and the oldest of the others made room.
    expect(losses).toHaveLength(9);
    expect(losses[0]).toEqual(['overflow', { id: 'ap_1.2' }, undefined]);
    await until(() => received.length === 1);
  });

  test('that is closed sends nothing further, listens to nothing, and says what it did not deliver', async () => {
    const { received, url } = await receiver(500);
    const { tell, clock, losses, webhook, listeners } = started(url);
    for (const revision of [7, 8]) tell({ revision });
    await until(() => clock.pending > 0);
    await webhook.close();
    expect(listeners.size).toBe(0);
    expect(received).toHaveLength(1);
    expect(losses).toEqual([
      ['stopped', { id: 'ap_1.7' }, 500],
      ['stopped', { id: 'ap_1.8' }, undefined],
    ]);
  });
});
