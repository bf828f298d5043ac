import { defineTool, type GateEvent, type Tool } from '@toolgate/core';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type Caller,
  gateOf,
  INITIALIZE,
  type Pipe,
  servePipeFixture,
} from '../../../test-support/serve-fixture.ts';
import { type McpService, serveMcp } from '../serve-mcp.ts';
import type { ServeOptions } from '../serve-options.ts';

let service: McpService<Caller> | undefined;
afterEach(async () => {
  await service?.close();
  service = undefined;
});

function pipeOf(gate = gateOf(), options: ServeOptions<Caller> = {}): Pipe {
  service = serveMcp(gate, options);
  return servePipeFixture(service);
}

/** A pipe with a session on it. */
async function openPipe(gate = gateOf(), options: ServeOptions<Caller> = {}): Promise<Pipe> {
  const pipe = pipeOf(gate, options);
  pipe.write(`${INITIALIZE}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n`);
  expect(await pipe.next()).toMatchObject({ id: 0, result: { protocolVersion: '2025-11-25' } });
  return pipe;
}

const LIST = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n';

describe('a line that is no message gets one error, and the next line is served', () => {
  const deep = `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"add","arguments":${'['.repeat(100)}${']'.repeat(100)}}}`;
  test.each([
    ['half a message', '{"jsonrpc":"2.0","id":3,"method":"tools/ca', -32_700],
    ['no JSON', 'hello', -32_700],
    ['a member twice', '{"jsonrpc":"2.0","id":3,"id":4,"method":"tools/list"}', -32_700],
    [
      'a number that changes when it is read',
      '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}',
      -32_700,
    ],
    ['a member that means a prototype', '{"jsonrpc":"2.0","id":3,"method":"ping","__proto__":{}}', -32_700],
    ['too many brackets', deep, -32_700],
    ['a batch', '[{"jsonrpc":"2.0","id":3,"method":"ping"}]', -32_600],
    ['a text', '"ping"', -32_600],
    ['null', 'null', -32_600],
    ['no version', '{"id":3,"method":"ping"}', -32_600],
    ['another version', '{"jsonrpc":"1.0","id":3,"method":"ping"}', -32_600],
    ['an id that is none', '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32_600],
  ])('%s', async (_name, line, code) => {
    const pipe = await openPipe();
    pipe.write(`${line}\n${LIST}`);
    expect(await pipe.next()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code } });
    expect(await pipe.next()).toMatchObject({ id: 1, result: { tools: [{ name: 'add' }, {}, {}] } });
  });

  test('a line that never ends is not held', async () => {
    const pipe = await openPipe(gateOf(), { limits: { maxMessageBytes: 1_000 } });
    for (let index = 0; index < 100; index += 1) pipe.write('x'.repeat(10_000));
    expect(await pipe.next()).toMatchObject({ id: null, error: { code: -32_700 } });
    pipe.write(`\n${LIST}`);
    expect(await pipe.next()).toMatchObject({ id: 1 });
  });

  test('bytes that are no UTF-8', async () => {
    const pipe = await openPipe();
    pipe.input.write(Buffer.from([0x22, 0xff, 0xfe, 0x22, 0x0a]));
    pipe.write(LIST);
    expect(await pipe.next()).toMatchObject({ id: null, error: { code: -32_700 } });
    expect(await pipe.next()).toMatchObject({ id: 1 });
  });
});

describe('a pipe', () => {
  test('says nothing to a client that says nothing', async () => {
    const pipe = pipeOf();
    pipe.write('\n\n');
    await pipe.close();
    expect(pipe.output.read()).toBeNull();
  });

  test('understands a client that begins what it writes with a byte order mark', async () => {
    const pipe = pipeOf();
    pipe.write(`\ufeff${INITIALIZE}\n`);
    expect(await pipe.next()).toMatchObject({ id: 0, result: { protocolVersion: '2025-11-25' } });
  });

  test('refuses a request whose id is in use, and takes it again when it is free', async () => {
    let begin: ((release: (text: string) => void) => void) | undefined;
    const begun = new Promise<(text: string) => void>((resolve) => {
      begin = resolve;
    });
    const wait: Tool<Caller> = defineTool({
      name: 'wait',
      description: '',
      input: { type: 'object' },
      execute: () => new Promise<string>((resolve) => begin?.(resolve)),
    });
    const pipe = await openPipe(gateOf([wait]));
    const call = '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"wait"}}\n';
    pipe.write(call + call);
    expect(await pipe.next()).toMatchObject({ id: null, error: { code: -32_600 } });
    (await begun)('one');
    expect(await pipe.next()).toMatchObject({ id: 7, result: { content: [{ text: 'one' }] } });
    pipe.write('{"jsonrpc":"2.0","id":7,"method":"ping"}\n');
    expect(await pipe.next()).toMatchObject({ id: 7, result: {} });
  });

  describe('whose input has ended', () => {
    const slow: Tool<Caller> = defineTool({
      name: 'slow',
      description: '',
      profile: { class: 'read' },
      input: { type: 'object', properties: { ms: { type: 'number' } } },
      execute: ({ ms = 0 }: { ms?: number }, { signal }) =>
        new Promise((resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
          setTimeout(() => resolve('done'), ms);
        }),
    });
    const call = (id: number, ms: number): string =>
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"slow","arguments":{"ms":${ms}}}}`;

    test('answers what was asked before, the last line without its end too, and ends then', async () => {
      const pipe = pipeOf(gateOf([slow]));
      const before = performance.now();
      pipe.input.end(`${INITIALIZE}\n${LIST}${call(2, 200)}\n${call(3, 0)}`);
      const answers = [await pipe.next(), await pipe.next(), await pipe.next(), await pipe.next()];
      expect(answers.map(({ id }) => Number(id)).toSorted((left, right) => left - right)).toEqual([
        0, 1, 2, 3,
      ]);
      expect(answers.find(({ id }) => id === 2)).toMatchObject({ result: { content: [{ text: 'done' }] } });
      await pipe.closed;
      expect(performance.now() - before).toBeLessThan(1_500);
    });

    test('ends at once when nothing was asked', async () => {
      const pipe = await openPipe();
      const before = performance.now();
      pipe.input.end();
      await pipe.closed;
      expect(performance.now() - before).toBeLessThan(1_000);
    });

    test.each([0, 50])('answers no longer than the server says (%i ms)', async (drainMs) => {
      const pipe = await openPipe(gateOf([slow]), { limits: { drainMs } });
      const before = performance.now();
      pipe.input.end(`${call(2, 60_000)}\n`);
      await pipe.closed;
      expect(performance.now() - before).toBeLessThan(1_000);
    });

    test('is given up when its output is gone, too', async () => {
      const pipe = await openPipe(gateOf([slow]), { limits: { drainMs: 60_000 } });
      pipe.input.end(`${call(2, 60_000)}\n`);
      setTimeout(() => pipe.output.destroy(), 50);
      await pipe.closed;
    });
  });

  test('takes its calls with it when the client goes, and settles when they have ended', async () => {
    const events: GateEvent[] = [];
    let started: (() => void) | undefined;
    const begun = new Promise<void>((resolve) => {
      started = resolve;
    });
    const wait: Tool<Caller> = defineTool({
      name: 'wait',
      description: '',
      input: { type: 'object' },
      execute: (_input, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
          started?.();
        }),
    });
    const pipe = await openPipe(gateOf([wait], { observe: (event) => events.push(event) }));
    pipe.write('{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"wait"}}\n');
    await begun;
    pipe.input.end();
    await pipe.closed;
    expect(events.slice(-2)).toMatchObject([
      { kind: 'call-end', outcome: 'unknown', reason: 'cancelled_after_dispatch' },
      { kind: 'session-close' },
    ]);
  });

  test('reads nothing more while nobody takes what it answers', async () => {
    const events: GateEvent[] = [];
    const big: Tool<Caller> = defineTool({
      name: 'big',
      description: '',
      profile: { class: 'external' },
      input: { type: 'object' },
      execute: () => 'x'.repeat(100_000),
    });
    const pipe = await openPipe(gateOf([big], { observe: (event) => events.push(event) }));
    const rest: string[] = [];
    for (let id = 1; id <= 2_000; id += 1) {
      const line = `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"big"}}\n`;
      if (!pipe.input.write(line)) rest.push(line);
    }
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    const calls = events.filter(({ kind }) => kind === 'call-start').length;
    expect(calls).toBeLessThan(1_000);
    // What the pipe had taken in already, 16 or 64 KiB, is answered with refusals.
    expect(pipe.output.readableLength + pipe.output.writableLength).toBeLessThan(calls * 100_200 + 200_000);
    pipe.output.destroy();
    await pipe.closed;
  });

  test('serves a client of revision 2026-07-28, which says who it is with every request', async () => {
    const pipe = pipeOf();
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const send = (id: number, method: string, params: object = {}) =>
      pipe.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } })}\n`);
    send(1, 'server/discover');
    expect(await pipe.next()).toMatchObject({ id: 1, result: { supportedVersions: ['2026-07-28'] } });
    send(2, 'tools/call', { name: 'add', arguments: { a: 1, b: 2 } });
    expect(await pipe.next()).toMatchObject({ id: 2, result: { structuredContent: { sum: 3 } } });
    send(3, 'initialize', { protocolVersion: '2025-11-25', capabilities: {} });
    expect(await pipe.next()).toMatchObject({ id: 3, error: {} });
  });

  test('writes every message on a line of its own, whatever a result holds', async () => {
    const text = 'one\r\ntwo\u2028three\u0000"';
    const odd = defineTool({ name: 'odd', description: '', input: { type: 'object' }, execute: () => text });
    const pipe = await openPipe(gateOf([odd]));
    pipe.write('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"odd"}}\n');
    expect(await pipe.next()).toMatchObject({ id: 1, result: { content: [{ text }] } });
  });
});
