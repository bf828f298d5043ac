import zlib from 'node:zlib';
import { PROTOCOLS } from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { answerOf, withRawProvider } from '../../test-support/ask-raw.ts';
import { PAIRS } from '../../test-support/gateway-fixture.ts';
import { PACKINGS } from '../../test-support/packings.ts';
import { openPost, post } from '../../test-support/post.ts';
import { oddRequest, surfacePath, turnEvents } from '../../test-support/wire-samples.ts';

describe('a body that comes packed', () => {
  test.each(PROTOCOLS.flatMap((protocol) => PACKINGS.map((entry) => [protocol, ...entry] as const)))(
    'goes to a provider of %s as the same body that comes plain (%s)',
    async (protocol, encoding, pack) => {
      const body = oddRequest(protocol, false);
      const answers = [answerOf(protocol, false, turnEvents([]))];
      await withRawProvider(protocol, answers, {}, async ({ url }, provider) => {
        const address = `${url}${surfacePath(protocol, false)}`;
        const plain = await post(address, body);
        const packed = await post(address, pack(body), { headers: { 'content-encoding': encoding } });
        expect([packed.status, packed.body]).toEqual([200, plain.body]);
        const [one, other] = provider.requests;
        expect(other?.body.toString()).toBe(one?.body.toString());
        expect(other?.headers['content-encoding']).toBeUndefined();
        expect(other?.headers['content-length']).toBe(one?.headers['content-length']);
      });
    },
  );

  test('may be long, and is unpacked no further than a body may be', async () => {
    const answers = [answerOf('openai-chat', false, turnEvents([]))];
    await withRawProvider('openai-chat', answers, {}, async ({ url }, provider) => {
      const address = `${url}${surfacePath('openai-chat', false)}`;
      const ask = (length: number) =>
        post(
          address,
          zlib.gzipSync(
            JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x'.repeat(length) }] }),
          ),
          { headers: { 'content-encoding': 'gzip' } },
        );
      expect((await ask(3_000_000)).status).toBe(200);
      const { body, status } = await ask(60_000_000);
      expect([status, body.includes('body_too_large')]).toEqual([413, true]);
      expect(provider.requests).toHaveLength(1);
    });
  });

  test('says in a refusal which encodings are read', async () => {
    await withRawProvider('openai-chat', [], {}, async ({ url }) => {
      const address = `${url}${surfacePath('openai-chat', false)}`;
      const headers = { 'content-encoding': 'compress' };
      const { headers: answered, status } = await post(address, 'x', { headers });
      expect([status, String(answered['accept-encoding']).startsWith('gzip, deflate, br')]).toEqual([
        415,
        true,
      ]);
    });
  });

  test('costs no place when its client leaves while it is unpacked', async () => {
    const answers = [answerOf('openai-chat', false, turnEvents([]))];
    await withRawProvider('openai-chat', answers, {}, async ({ url }, provider) => {
      const address = `${url}${surfacePath('openai-chat', false)}`;
      const content = Array.from({ length: 200_000 }, (_, index) => `word ${index}`).join(' ');
      const body = zlib.gzipSync(JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }));
      const leaving = Array.from({ length: 8 }, () => {
        const controller = new AbortController();
        const gone = openPost(address, body, {
          headers: { 'content-encoding': 'gzip' },
          signal: controller.signal,
        }).then(
          ({ leave }) => leave(),
          () => undefined,
        );
        setTimeout(() => controller.abort(), 4);
        return gone;
      });
      await Promise.all(leaving);
      expect((await post(address, body, { headers: { 'content-encoding': 'gzip' } })).status).toBe(200);
      await provider.idle();
      expect(provider.open).toBe(0);
    });
  });
});

describe('a body that begins with the mark of its byte order', () => {
  test.each(PAIRS)('goes without it, from %s to %s', async (surface, backend) => {
    const body = oddRequest(surface, false);
    const answers = [answerOf(backend, false, turnEvents([]))];
    await withRawProvider(backend, answers, {}, async ({ url }, provider) => {
      const address = `${url}${surfacePath(surface, false)}`;
      const headers = { 'content-encoding': 'gzip' };
      expect((await post(address, body)).status).toBe(200);
      expect((await post(address, `\ufeff${body}`)).status).toBe(200);
      expect((await post(address, zlib.gzipSync(`\ufeff${body}`), { headers })).status).toBe(200);
      expect(new Set(provider.requests.map((request) => request.body.toString('latin1'))).size).toBe(1);
    });
  });

  test('is refused where it begins twice', async () => {
    await withRawProvider('openai-chat', [], {}, async ({ url }) => {
      const body = `\ufeff\ufeff${oddRequest('openai-chat', false)}`;
      expect((await post(`${url}${surfacePath('openai-chat', false)}`, body)).status).toBe(400);
    });
  });
});
