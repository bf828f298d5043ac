import { createScope, defineTool, type GateConfig, type GateEvent, type Tool } from '@toolgate/core';
import { describe, expect, test, vi } from 'vitest';
import { type Caller, gateOf, INITIALIZE, serveFixture } from '../../../test-support/serve-fixture.ts';
import type { ServeOptions } from '../serve-options.ts';

const WAIT = { timeout: 20_000 };

interface Holding {
  readonly finish: () => void;
  readonly report: (progress: number) => void;
  readonly signal: AbortSignal;
}

/** Serves a tool whose calls wait until they are told to end, whatever becomes of their clients, and opens a session. */
async function holding(options: ServeOptions<Caller> = {}, config: Partial<GateConfig<Caller>> = {}) {
  const held = new Map<string, Holding>();
  const events: GateEvent[] = [];
  const errors: unknown[] = [];
  const hold: Tool<Caller> = defineTool({
    name: 'hold',
    description: 'Waits.',
    profile: { class: 'read' },
    input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    execute: ({ name }: { name: string }, { signal, progress }) =>
      new Promise<string>((resolve) => {
        held.set(name, {
          finish: () => resolve(`held ${name}`),
          report: (value) => progress?.({ progress: value, message: name }),
          signal,
        });
      }),
  });
  const gate = gateOf([hold], { observe: (event) => events.push(event), ...config });
  const { post, listening } = await serveFixture(gate, {
    onError: (error) => errors.push(error),
    ...options,
  });
  const begun = await post(INITIALIZE.replace('"capabilities":{}', '"capabilities":{"elicitation":{}}'));
  await begun.text();
  const session = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' };
  const send = (message: object, headers: Record<string, string> = {}, signal?: AbortSignal) =>
    signal === undefined
      ? post(JSON.stringify({ jsonrpc: '2.0', ...message }), { ...session, ...headers })
      : fetch(listening.url, {
          method: 'POST',
          signal,
          body: JSON.stringify({ jsonrpc: '2.0', ...message }),
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            authorization: 'Bearer alice',
            ...session,
          },
        });
  return {
    events,
    errors,
    send,
    cancel: async (requestId: unknown) =>
      (await send({ method: 'notifications/cancelled', params: { requestId } })).status,
    /** What became of a call that has begun. */
    of: async (name: string): Promise<Holding> =>
      vi.waitUntil(() => held.get(name), WAIT) as Promise<Holding>,
  };
}

const call = (id: unknown, name: string, progressToken?: string) => ({
  id,
  method: 'tools/call',
  params: {
    name: 'hold',
    arguments: { name },
    ...(progressToken === undefined ? {} : { _meta: { progressToken } }),
  },
});

/** The messages of a stream that has ended. */
async function messages(response: Response): Promise<readonly unknown[]> {
  const lines = (await response.text()).split('\n');
  return lines.filter((line) => line.startsWith('data: ')).map((line): unknown => JSON.parse(line.slice(6)));
}

const answer = (id: unknown, name: string) => ({
  jsonrpc: '2.0',
  id,
  result: { content: [{ type: 'text', text: `held ${name}` }] },
});

describe('calls of one session with the same id at the same time', () => {
  test('get each its own answer, whichever ends first', async () => {
    const { send, of } = await holding();
    const [one, other] = await Promise.all([send(call(1, 'one')), send(call(1, 'other'))]);
    const [first, second] = [await of('one'), await of('other')];
    second.finish();
    expect(await messages(other)).toEqual([answer(1, 'other')]);
    first.finish();
    expect(await messages(one)).toEqual([answer(1, 'one')]);
  });

  test.each(['application/json', 'application/json, text/event-stream'])(
    'may be many, for a client that accepts %s; what is written down has ids of its own',
    async (accept) => {
      const { send, of, events, errors } = await holding({}, { concurrency: 20 });
      const names = Array.from({ length: 20 }, (_, index) => `n${index}`);
      const answers = names.map((name) => send(call(1, name), { accept }));
      for (const name of [...names].reverse()) (await of(name)).finish();
      const texts = await Promise.all(answers.map(async (response) => (await response).text()));
      for (const [index, text] of texts.entries()) {
        const json = text.startsWith('{') ? text : text.slice(text.indexOf('{'));
        expect(JSON.parse(json)).toEqual(answer(1, names[index] ?? ''));
      }
      const starts = events.flatMap((event) => (event.kind === 'call-start' ? [event.callId] : []));
      expect([starts.length, new Set(starts).size]).toEqual([20, 20]);
      expect(errors).toEqual([]);
    },
  );

  test('get the progress that they asked for, by their own tokens', async () => {
    const { send, of } = await holding();
    const responses = await Promise.all(['one', 'other'].map((name) => send(call(1, name, `of ${name}`))));
    for (const name of ['one', 'other']) {
      const { report, finish } = await of(name);
      report(1);
      finish();
    }
    const [one, other] = await Promise.all(responses.map(messages));
    const progress = (name: string) => ({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: `of ${name}`, progress: 1, message: name },
    });
    expect(one).toEqual([progress('one'), answer(1, 'one')]);
    expect(other).toEqual([progress('other'), answer(1, 'other')]);
  });

  test('are not cancelled by that id, and the application is told', async () => {
    const { send, of, cancel, errors } = await holding();
    const responses = await Promise.all(['one', 'other'].map((name) => send(call(1, name))));
    const calls = [await of('one'), await of('other')];
    expect(await cancel(1)).toBe(202);
    expect(errors).toMatchObject([{ code: 'mcp/cancel-ambiguous' }]);
    // What is answered later than the notice was read by whoever would have acted on it.
    await (await send({ id: 2, method: 'ping' })).text();
    expect(calls.map(({ signal }) => signal.aborted)).toEqual([false, false]);
    for (const { finish } of calls) finish();
    expect(await Promise.all(responses.map(messages))).toEqual([[answer(1, 'one')], [answer(1, 'other')]]);
  });

  test('end alone when the client goes away from one, and the other can be cancelled then', async () => {
    const { send, of, cancel, errors } = await holding();
    const leaving = new AbortController();
    await send(call(1, 'left'), {}, leaving.signal);
    const staying = await send(call(1, 'stays'));
    const [left, stays] = [await of('left'), await of('stays')];
    leaving.abort();
    await vi.waitUntil(() => left.signal.aborted, WAIT);
    expect(stays.signal.aborted).toBe(false);
    expect(await cancel(1)).toBe(202);
    await vi.waitUntil(() => stays.signal.aborted, WAIT);
    expect(await staying.text()).toBe('');
    expect(errors).toEqual([]);
  });

  test('are put before the person at the client each in its own stream', async () => {
    const scope = createScope<Caller>({ approvalThreshold: 'read', approve: () => 'defer' as const });
    const { send, of } = await holding({ approvalPrompt: { kind: 'form' } }, { scope });
    const readers = [];
    for (const name of ['yes', 'no']) {
      const { body } = await send(call(1, name));
      const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
      const text = (await reader?.read())?.value ?? '';
      const asked: unknown = JSON.parse(text.slice(text.indexOf('{')));
      expect(asked).toMatchObject({
        method: 'elicitation/create',
        params: { message: expect.stringContaining(`"${name}"`) },
      });
      readers.push({ name, reader, id: (asked as { id: unknown }).id });
    }
    for (const { name, id } of readers.toReversed()) {
      const result =
        name === 'yes' ? { action: 'accept', content: { approve: true } } : { action: 'decline' };
      expect((await send({ id, result })).status).toBe(202);
    }
    (await of('yes')).finish();
    const texts = await Promise.all(readers.map(async ({ reader }) => (await reader?.read())?.value));
    expect(texts).toEqual([
      expect.stringMatching(/"text":"held yes".*"id":1\b/),
      expect.stringMatching(/"isError":true.*"id":1\b/),
    ]);
  });
});

describe('the id of a request over HTTP', () => {
  test.each([1, '1', 0, -7, '', 'é ☃', 'toJSON', Number.MAX_SAFE_INTEGER])(
    'comes back as it was: %j',
    async (id) => {
      const { send } = await holding();
      expect(await messages(await send({ id, method: 'ping' }))).toEqual([
        { jsonrpc: '2.0', id, result: {} },
      ]);
      expect(await messages(await send({ id, method: 'no/such' }))).toMatchObject([
        { id, error: { code: -32_601 } },
      ]);
    },
  );

  test.each(['1.5', 'true', '{}', '[1]'])('cannot be %s', async (id) => {
    const { send } = await holding();
    const response = await send({ id: JSON.parse(id), method: 'ping' });
    expect([response.status, await response.json()]).toMatchObject([400, { error: {} }]);
  });

  test('is another one as a number than as a text, also where it is cancelled', async () => {
    const { send, of, cancel } = await holding();
    const [number, text] = await Promise.all([send(call(1, 'number')), send(call('1', 'text'))]);
    const calls = [await of('number'), await of('text')];
    expect(await cancel('1')).toBe(202);
    await vi.waitUntil(() => calls[1]?.signal.aborted, WAIT);
    expect(await text.text()).toBe('');
    expect(calls[0]?.signal.aborted).toBe(false);
    calls[0]?.finish();
    expect(await messages(number)).toEqual([answer(1, 'number')]);
  });

  test('is the only one that cancels it: no number is ever that of another request', async () => {
    const { send, of, cancel, errors } = await holding();
    const response = await send(call('mine', 'one'));
    const { signal, finish } = await of('one');
    for (const id of [-1, 0, 1, 2, 3, 4, 5, '0', '1', '2', 'Mine']) expect(await cancel(id)).toBe(202);
    await (await send({ id: 2, method: 'ping' })).text();
    expect([signal.aborted, errors]).toEqual([false, []]);
    finish();
    expect(await messages(response)).toEqual([answer('mine', 'one')]);
  });

  test('may be that of a call which was cancelled: nothing that one still says is in the new answer', async () => {
    const { send, of, cancel } = await holding();
    const before = await send(call(1, 'before', 'p'));
    const late = await of('before');
    expect(await cancel(1)).toBe(202);
    expect(await before.text()).toBe('');
    const after = await send(call(1, 'after', 'p'));
    const { finish } = await of('after');
    late.report(1);
    late.finish();
    await (await send({ id: 2, method: 'ping' })).text();
    finish();
    expect(await messages(after)).toEqual([answer(1, 'after')]);
  });

  test('of a notice that is refused cancels nothing, nor does that of a request', async () => {
    const { send, of } = await holding();
    const response = await send(call(1, 'one'));
    const { signal, finish } = await of('one');
    const notice = { method: 'notifications/cancelled', params: { requestId: 1 } };
    expect((await send(notice, { 'mcp-protocol-version': '1999-01-01' })).status).toBe(400);
    expect(await messages(await send({ id: 3, ...notice }))).toMatchObject([{ id: 3, error: {} }]);
    finish();
    expect(await messages(response)).toEqual([answer(1, 'one')]);
    expect(signal.aborted).toBe(false);
  });
});

test('without sessions calls may have the same id, too', async () => {
  const { send, of } = await holding();
  const revision = '2026-07-28';
  const headers = {
    'mcp-session-id': '',
    'mcp-protocol-version': revision,
    'mcp-method': 'tools/call',
    'mcp-name': 'hold',
  };
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const names = ['one', 'other'];
  const responses = names.map((name) => {
    const { params, ...rest } = call(1, name);
    return send({ ...rest, params: { ...params, _meta } }, headers);
  });
  for (const name of [...names].reverse()) (await of(name)).finish();
  for (const [index, response] of (await Promise.all(responses)).entries()) {
    expect(await response.json()).toMatchObject({
      id: 1,
      result: { content: [{ text: `held ${names[index]}` }] },
    });
  }
});
