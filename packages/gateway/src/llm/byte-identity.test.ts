import { PROTOCOLS } from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { PROVIDER_KEY, withGateway } from '../../test-support/gateway-fixture.ts';
import { post } from '../../test-support/post.ts';
import { type RawAnswer, sendEvents, sendJson, startRawProvider } from '../../test-support/raw-provider.ts';
import {
  basePath,
  oddRequest,
  surfacePath,
  turnEvents,
  wireAnswer,
  wireStream,
} from '../../test-support/wire-samples.ts';

const CALLS = [
  { id: 'c1', arguments: '{ "path":"a\\u00e4" }' },
  { id: 'c2', arguments: '{"path":"b"}' },
];

async function exchange(protocol: (typeof PROTOCOLS)[number], stream: boolean, answer: RawAnswer) {
  const provider = await startRawProvider(answer);
  try {
    const providers = { m: { protocol, baseUrl: `${provider.origin}${basePath(protocol)}` } };
    return await withGateway({ providers }, async ({ url }) => {
      const headers = { 'x-api-key-not': 'x', cookie: 'a=b', 'x-forwarded-for': '1.2.3.4', te: 'trailers' };
      const answered = await post(`${url}${surfacePath(protocol, stream)}`, oddRequest(protocol, stream), {
        headers,
      });
      return { answered, request: provider.requests[0] };
    });
  } finally {
    await provider.close();
  }
}

describe.each(PROTOCOLS)('%s on both sides, with nothing to change', (protocol) => {
  test.each([false, true])('passes the request on byte for byte (streamed: %s)', async (stream) => {
    const events = turnEvents([]);
    const answer = stream ? sendEvents(wireStream(protocol, events)) : sendJson(wireAnswer(protocol, events));
    const { request } = await exchange(protocol, stream, answer);
    expect(request?.body.toString('utf8')).toBe(oddRequest(protocol, stream));
    expect(request?.path).toBe(surfacePath(protocol, stream).replace(/^\/v1(?:beta)?/, basePath(protocol)));
  });

  test('passes a stream with calls on byte for byte, however it is cut', async () => {
    const pieces = wireStream(protocol, turnEvents(CALLS));
    const comment = ': processing\r\n\r\n';
    const whole = Buffer.from([...pieces.slice(0, 2), comment, ...pieces.slice(2)].join(''));
    const cuts: Uint8Array[] = [];
    for (let at = 0; at < whole.length; at += 13) cuts.push(whole.subarray(at, at + 13));
    const { answered } = await exchange(protocol, true, sendEvents(cuts));
    expect(answered.body).toBe(whole.toString('utf8'));
    expect(answered.broken).toBe(false);
    expect(answered.headers).toMatchObject({
      'toolgate-loss': '0',
      'content-type': 'text/event-stream; charset=utf-8',
    });
  });

  test('passes a whole answer with calls on byte for byte', async () => {
    const body = wireAnswer(protocol, turnEvents(CALLS));
    const { answered } = await exchange(protocol, false, sendJson(body));
    expect(answered.body).toBe(body);
    expect(answered.headers['toolgate-loss']).toBe('0');
  });

  test('gives the provider its own key and nothing of the client’s connection', async () => {
    const { answered, request } = await exchange(
      protocol,
      false,
      sendJson(wireAnswer(protocol, turnEvents([]))),
    );
    const sent = JSON.stringify(request?.headers);
    expect(sent).toContain(PROVIDER_KEY);
    expect(sent).not.toContain('tg_client_key');
    expect(Object.keys(request?.headers ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(?:cookie|x-forwarded-for|te|x-api-key-not)$/)]),
    );
    expect(JSON.stringify(answered)).not.toContain(PROVIDER_KEY);
  });
});
