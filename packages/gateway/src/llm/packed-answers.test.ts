import zlib from 'node:zlib';
import { PROTOCOLS } from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { callsOf, readAnswer, withRawProvider } from '../../test-support/ask-raw.ts';
import { PAIRS } from '../../test-support/gateway-fixture.ts';
import { PACKINGS } from '../../test-support/packings.ts';
import { openPost, post } from '../../test-support/post.ts';
import { type RawAnswer, sendEvents, sendJson } from '../../test-support/raw-provider.ts';
import {
  oddRequest,
  surfacePath,
  turnEvents,
  wireAnswer,
  wireStream,
} from '../../test-support/wire-samples.ts';

const TURN = turnEvents([{ id: 'c1', arguments: '{"path":"a"}' }]);

const packed =
  (encoding: string, type: string, body: Uint8Array, status = 200): RawAnswer =>
  (response) => {
    response.writeHead(status, { 'content-type': type, 'content-encoding': encoding });
    response.end(body);
  };

describe('an answer that a provider packs without being asked', () => {
  test.each(PROTOCOLS.flatMap((protocol) => PACKINGS.map((pack) => [protocol, ...pack] as const)))(
    'comes to a client of %s as the same bytes (%s)',
    async (protocol, encoding, pack) => {
      const whole = wireAnswer(protocol, TURN);
      const stream = wireStream(protocol, TURN).join('');
      const answers = [
        packed(encoding, 'application/json', pack(whole)),
        packed(encoding, 'text/event-stream', pack(stream)),
      ];
      await withRawProvider(protocol, answers, {}, async ({ url }) => {
        for (const [isStream, body] of [
          [false, whole],
          [true, stream],
        ] as const) {
          const path = `${url}${surfacePath(protocol, isStream)}`;
          const answered = await post(path, oddRequest(protocol, isStream));
          expect([answered.status, answered.body]).toEqual([200, body]);
          expect(answered.headers['content-encoding']).toBeUndefined();
        }
      });
    },
  );

  test.each(PAIRS)('is understood for a client of %s before %s', async (surface, backend) => {
    const body = zlib.gzipSync(wireStream(backend, TURN).join(''));
    const answers = [packed('gzip', 'text/event-stream', body)];
    await withRawProvider(backend, answers, {}, async ({ url }) => {
      const answered = await post(`${url}${surfacePath(surface, true)}`, oddRequest(surface, true));
      expect(callsOf(readAnswer(surface, true, answered.body))).toEqual([['find', '{"path":"a"}']]);
    });
  });

  test('streams on: what was packed up to here comes before the rest is there', async () => {
    const [first = '', ...rest] = wireStream('openai-chat', TURN);
    let goOn: () => void = () => undefined;
    const seen = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const answer: RawAnswer = async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
      const pack = zlib.createGzip();
      pack.pipe(response);
      pack.write(first);
      pack.flush();
      await seen;
      pack.end(rest.join(''));
    };
    await withRawProvider('openai-chat', [answer], {}, async ({ url }) => {
      const path = `${url}${surfacePath('openai-chat', true)}`;
      const { response, rest: read } = await openPost(path, oddRequest('openai-chat', true));
      response.once('data', goOn);
      expect((await read()).body.endsWith(rest.join(''))).toBe(true);
    });
  });

  test('that breaks off is no whole one, and one that is not packed as it says is none', async () => {
    const stream = wireStream('openai-chat', TURN).join('');
    const half = zlib.gzipSync(stream).subarray(0, -60);
    const answers = [
      packed('gzip', 'text/event-stream', half),
      packed('gzip', 'text/event-stream', Buffer.from(stream)),
    ];
    await withRawProvider('openai-chat', answers, {}, async ({ url }) => {
      const ask = () => post(`${url}${surfacePath('openai-chat', true)}`, oddRequest('openai-chat', true));
      const cut = await ask();
      expect(cut.body).not.toContain('[DONE]');
      expect(callsOf(readAnswer('openai-chat', true, cut.body))).toEqual([]);
      const { body, status } = await ask();
      expect([status, body.includes('upstream_invalid')]).toEqual([502, true]);
    });
  });

  test('is unpacked no further than an answer may be', async () => {
    const huge = zlib.gzipSync(Buffer.alloc(80 * 1024 * 1024, 0x20));
    await withRawProvider('openai-chat', [packed('gzip', 'application/json', huge)], {}, async ({ url }) => {
      const path = `${url}${surfacePath('openai-chat', false)}`;
      expect((await post(path, oddRequest('openai-chat', false))).status).toBe(502);
    });
  });

  test('is a failure by what it says, too, and a name that is no encoding changes nothing', async () => {
    const failure = JSON.stringify({ error: { message: 'x', code: 'context_length_exceeded' } });
    const answers = [
      packed('gzip', 'application/json', zlib.gzipSync(failure), 400),
      sendJson(wireAnswer('openai-chat', TURN), 200, { 'content-encoding': 'utf-8' }),
      sendEvents(wireStream('openai-chat', TURN)),
    ];
    await withRawProvider('openai-chat', answers, {}, async ({ url }) => {
      const path = `${url}${surfacePath('openai-chat', false)}`;
      const refused = await post(path, oddRequest('openai-chat', false));
      expect([refused.status, refused.body.includes('context_length_exceeded')]).toEqual([400, true]);
      expect((await post(path, oddRequest('openai-chat', false))).status).toBe(200);
    });
  });
});
