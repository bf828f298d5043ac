import { describe, expect, test } from 'vitest';
import { wholeAnswer } from './whole-answer.ts';

const LIVE = new AbortController().signal;

/** A stream of events; `rest` decides how it ends. */
function streamOf(texts: readonly string[], rest: 'ends' | 'hangs' | 'breaks' = 'ends') {
  const seen = { cancelled: false };
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const text of texts) controller.enqueue(new TextEncoder().encode(text));
      if (rest === 'ends') controller.close();
      if (rest === 'breaks') controller.error(new TypeError('broken'));
    },
    cancel() {
      seen.cancelled = true;
    },
  });
  const headers = { 'content-type': 'text/event-stream', 'mcp-session-id': 's', connection: 'keep-alive' };
  return { seen, response: new Response(body, { headers }) };
}

const event = (message: object): string =>
  `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;
const ANSWER = { id: 1, result: { ok: 'Grüße' } };

describe('a stream of events', () => {
  test('is its answer alone, in whatever pieces it comes', async () => {
    const text = `id: 1\ndata: \n\n: alive\n\n${event({ method: 'notifications/progress', params: {} })}${event(ANSWER)}`;
    const { response } = streamOf(text.split(''));
    const whole = await wholeAnswer(response, LIVE);
    expect([...whole.headers]).toEqual([
      ['content-type', 'application/json'],
      ['mcp-session-id', 's'],
    ]);
    expect(await whole.json()).toEqual({ jsonrpc: '2.0', ...ANSWER });
  });

  test('is the error in it', async () => {
    const error = { code: -32_602, message: 'no' };
    const { response } = streamOf([event({ id: 1, error })]);
    expect(await (await wholeAnswer(response, LIVE)).json()).toMatchObject({ id: 1, error });
  });

  test('that asks the client is given up, because nobody would answer', async () => {
    const ask = event({ id: 7, method: 'elicitation/create', params: {} });
    const { response, seen } = streamOf([ask], 'hangs');
    expect((await wholeAnswer(response, LIVE)).status).toBe(406);
    expect(seen.cancelled).toBe(true);
  });

  test('without an answer is none', async () => {
    const whole = await wholeAnswer(streamOf([': alive\n\n']).response, LIVE);
    expect([whole.status, await whole.text()]).toEqual([204, '']);
  });

  test('that nobody waits for any more is given up', async () => {
    const gone = new AbortController();
    const { response, seen } = streamOf([event({ method: 'notifications/progress', params: {} })], 'hangs');
    const whole = wholeAnswer(response, gone.signal);
    gone.abort();
    expect((await whole).status).toBe(204);
    expect(seen.cancelled).toBe(true);
  });

  test('that breaks is no answer', async () => {
    await expect(wholeAnswer(streamOf([event(ANSWER)], 'breaks').response, LIVE)).rejects.toThrow('broken');
  });
});

test('what is no stream stays as it is', async () => {
  for (const response of [new Response(null, { status: 202 }), Response.json({ a: 1 })])
    expect(await wholeAnswer(response, LIVE)).toBe(response);
});
