import { once } from 'node:events';
import { PROTOCOLS } from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { callsOf, readAnswer, textOf, withRawProvider } from '../../test-support/ask-raw.ts';
import { openPost, post } from '../../test-support/post.ts';
import { type RawAnswer, sendEvents, sendJson } from '../../test-support/raw-provider.ts';
import { withoutSigns } from '../../test-support/signs-of-life.ts';
import {
  oddRequest,
  surfacePath,
  turnEvents,
  wireAnswer,
  wireStream,
} from '../../test-support/wire-samples.ts';

const CALL = { id: 'c1', arguments: '{"path":"a"}' };

const urlOf = (url: string, protocol: (typeof PROTOCOLS)[number], stream: boolean): string =>
  `${url}${surfacePath(protocol, stream)}`;

describe.each(PROTOCOLS)('on %s', (protocol) => {
  const pieces = wireStream(protocol, turnEvents([CALL]));
  const begun = pieces.slice(0, 2);

  test.each([
    ['stands still', sendEvents(begun, 'stay')],
    ['breaks', sendEvents(begun, 'break')],
    ['just ends', sendEvents(begun)],
    ['turns into garbage', sendEvents([...begun, 'data: {"oops\n\n'], 'stay')],
  ])('a stream that %s ends with the protocol’s own error and no clean end', async (_, answer) => {
    const setup = { timeouts: { idleMs: 60 } };
    await withRawProvider(protocol, [answer], setup, async (gateway, provider) => {
      const { body, broken } = await post(urlOf(gateway.url, protocol, true), oddRequest(protocol, true));
      const response = readAnswer(protocol, true, body);
      expect(response.finish).toBe('error');
      expect(callsOf(response)).toEqual([]);
      expect(body).not.toMatch(/\[DONE\]|message_stop|response\.completed|"finishReason"/);
      expect(broken).toBe(false);
      await provider.idle();
    });
  });

  test('words of the provider’s failure are not passed on', async () => {
    const said = {
      'openai-chat': 'data: {"error":{"message":"secret words","code":"x"}}\n\n',
      'openai-responses':
        'event: error\ndata: {"type":"error","code":"x","message":"secret words","sequence_number":9}\n\n',
      anthropic:
        'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"secret words"}}\n\n',
      gemini: 'data: {"error":{"code":503,"message":"secret words","status":"UNAVAILABLE"}}\n\n',
    }[protocol];
    await withRawProvider(protocol, [sendEvents([...begun, said])], {}, async (gateway) => {
      const { body } = await post(urlOf(gateway.url, protocol, true), oddRequest(protocol, true));
      expect(readAnswer(protocol, true, body).finish).toBe('error');
      expect(body).not.toContain('secret words');
    });
  });

  test('a client that goes away ends the provider’s answer', async () => {
    await withRawProvider(protocol, [sendEvents(begun, 'stay')], {}, async (gateway, provider) => {
      const open = await openPost(urlOf(gateway.url, protocol, true), oddRequest(protocol, true));
      expect(provider.open).toBe(1);
      open.leave();
      await provider.idle();
      expect(provider.open).toBe(0);
      await until(() => gateway.traffic.length === 1);
      expect(gateway.traffic).toMatchObject([{ status: 499, streamed: true }]);
    });
  });

  test('an answer that asks for the other form is understood all the same', async () => {
    const events = turnEvents([CALL]);
    const answers: readonly RawAnswer[] = [
      sendJson(wireAnswer(protocol, events)),
      sendEvents(wireStream(protocol, events)),
    ];
    await withRawProvider(protocol, answers, {}, async (gateway) => {
      for (const stream of [true, false]) {
        const { body } = await post(urlOf(gateway.url, protocol, stream), oddRequest(protocol, stream));
        const response = readAnswer(protocol, stream, body);
        expect(textOf(response)).toBe('Looking ü');
        expect(callsOf(response)).toEqual([['find', CALL.arguments]]);
      }
    });
  });
});

test.each([
  [
    'anthropic',
    'event: message_start\ndata: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"up","content":[],"stop_reason":null,"usage":{"input_tokens":5000,"output_tokens":1}}}\n\nevent: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"hi"}}\n\n',
  ],
  [
    'openai-chat',
    'data: {"id":"a","model":"up","choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":null}],"usage":{"prompt_tokens":5000,"completion_tokens":1,"total_tokens":5001}}\n\n',
  ],
] as const)('what was used until a client went away is recorded, on %s', async (protocol, counted) => {
  await withRawProvider(protocol, [sendEvents([counted], 'stay')], {}, async (gateway) => {
    const open = await openPost(urlOf(gateway.url, protocol, true), oddRequest(protocol, true));
    await once(open.response, 'data');
    open.leave();
    await until(() => gateway.traffic.length === 1);
    expect(gateway.traffic).toMatchObject([{ status: 499, usage: { inputTotal: 5_000 } }]);
  });
});

test('a client that goes away before the answer begins ends the question', async () => {
  const silent: RawAnswer = () => undefined;
  await withRawProvider('openai-chat', [silent], {}, async (gateway, provider) => {
    const client = new AbortController();
    const url = urlOf(gateway.url, 'openai-chat', false);
    const asked = post(url, oddRequest('openai-chat', false), { signal: client.signal });
    await until(() => provider.requests.length === 1);
    client.abort();
    await expect(asked).rejects.toThrow(/abort/i);
    await provider.idle();
    await until(() => gateway.traffic.length === 1);
    expect(gateway.traffic).toMatchObject([{ status: 499, streamed: false }]);
  });
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

test('a client that takes nothing makes the provider wait, and gets everything in the end', async () => {
  const protocol = 'openai-chat';
  const event = wireStream(protocol, turnEvents([]))[1] ?? '';
  const padded = event.replace('Look', 'x'.repeat(64 * 1024));
  const total = 600;
  let written = 0;
  const answer: RawAnswer = async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(wireStream(protocol, turnEvents([]))[0]);
    for (; written < total; written += 1) {
      if (response.write(padded)) continue;
      await new Promise((resolve) => response.once('drain', resolve));
    }
    response.end(wireStream(protocol, turnEvents([])).slice(-3).join(''));
  };
  await withRawProvider(protocol, [answer], {}, async (gateway) => {
    const open = await openPost(urlOf(gateway.url, protocol, true), oddRequest(protocol, true));
    open.response.pause();
    let last = -1;
    for (let still = 0; still < 300; still = written === last ? still + 1 : 0) {
      last = written;
      await new Promise((resolve) => setImmediate(resolve));
    }
    // What stands between is buffers of sockets: some megabytes, and not the 64 of the whole.
    expect(written * 64).toBeLessThan(24 * 1024);
    const rest = open.rest();
    open.response.resume();
    const { body } = await rest;
    expect(written).toBe(total);
    expect(body.length).toBeGreaterThan(total * 64 * 1024);
  });
});

test('a thousand streams at once come through whole', async () => {
  const protocol = 'openai-chat';
  const whole = wireStream(protocol, turnEvents([CALL]));
  const waiting: (() => void)[] = [];
  const count = 1_000;
  const answer: RawAnswer = async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(whole[0]);
    // Nobody ends before all have begun.
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === count) for (const go of waiting) go();
    });
    for (const piece of whole.slice(1)) response.write(piece);
    response.end();
  };
  await withRawProvider(protocol, [answer], { timeouts: { idleMs: 60_000 } }, async (gateway) => {
    const url = urlOf(gateway.url, protocol, true);
    const bodies = await Promise.all(
      Array.from({ length: count }, () => post(url, oddRequest(protocol, true))),
    );
    // On a busy machine a stream waits long enough to get signs of life.
    const said = bodies.map(({ body }) => withoutSigns(body));
    expect(new Set(said)).toEqual(new Set([whole.join('')]));
    expect(gateway.traffic).toHaveLength(count);
  });
}, 120_000);

describe('a provider that says nothing but comments', () => {
  const protocol = 'openai-chat';
  const comment = ': processing\n\n';
  const candidates = [
    { provider: 'm', model: 'first' },
    { provider: 'm', model: 'second' },
  ];

  test('and fails then is followed by the next one', async () => {
    const breaks = sendEvents([comment], 'break');
    // A connection that broke is tried once more.
    const answers = [breaks, breaks, sendEvents(wireStream(protocol, turnEvents([])))];
    const routes = [{ model: 'm', candidates }];
    await withRawProvider(protocol, answers, { routes }, async (gateway) => {
      const { body } = await post(urlOf(gateway.url, protocol, true), oddRequest(protocol, true));
      expect(textOf(readAnswer(protocol, true, body))).toBe('Looking ü');
      expect(gateway.traffic).toMatchObject([{ candidate: 'm/second', status: 200 }]);
    });
  });

  test.each([true, false])('and goes silent is refused in time (streamed: %s)', async (stream) => {
    const setup = { timeouts: { idleMs: 150 }, options: { keepAliveMs: 10 } };
    await withRawProvider(protocol, [sendEvents([comment], 'stay')], setup, async (gateway) => {
      const { body, status } = await post(urlOf(gateway.url, protocol, stream), oddRequest(protocol, stream));
      expect([status, body.includes('upstream_timeout')]).toEqual([504, true]);
    });
  });

  test('while a control tool is asked for is refused in time, too', async () => {
    const control = { tool: 'attempt_completion' as const };
    const routes = [{ model: 'm', candidates, control }];
    const setup = { routes, timeouts: { idleMs: 150 }, options: { keepAliveMs: 10 } };
    const answer = sendEvents([comment], 'stay');
    await withRawProvider(protocol, [answer], setup, async (gateway) => {
      const { body, broken } = await post(urlOf(gateway.url, protocol, true), oddRequest(protocol, true));
      expect([broken, body.includes('upstream_timeout')]).toEqual([false, true]);
    });
  });
});
