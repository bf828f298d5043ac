import {
  createGate,
  createScope,
  defineTool,
  type GateEvent,
  PermanentError,
  type Tool,
  toolOutput,
} from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import {
  add,
  type Caller,
  FIXTURE_TOOLS,
  gateOf,
  REVISIONS,
  serveFixture,
} from '../../test-support/serve-fixture.ts';
import { serveMcp } from './serve-mcp.ts';

/** A tool that runs until the test lets it go, or its signal is aborted. */
function waitingTool(name = 'wait') {
  const started: (() => void)[] = [];
  const release: ((text: string) => void)[] = [];
  const aborted: unknown[] = [];
  let runs = 0;
  const tool: Tool<Caller> = defineTool({
    name,
    description: 'Waits.',
    profile: { class: 'external' },
    input: { type: 'object' },
    execute: (_input, { signal }) =>
      new Promise<string>((resolve, reject) => {
        release.push(resolve);
        signal.addEventListener('abort', () => {
          aborted.push(signal.reason);
          reject(signal.reason);
        });
        runs += 1;
        for (const tell of started.splice(0)) tell();
      }),
  });
  return {
    tool,
    release,
    aborted,
    /** Settles when so many calls have begun. */
    untilStarted: async (count = 1) => {
      while (runs < count) await new Promise<void>((resolve) => started.push(resolve));
    },
  };
}

/** Settles when a condition holds; the test's own time limit is the bound. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe.each(REVISIONS)('a client of revision %s', (revision) => {
  test('lists what it may use, with hints from the profiles', async () => {
    const served = await serveFixture();
    const client = await served.connect('alice', revision);
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['add', 'whoami', 'fail']);
    expect(tools[0]).toMatchObject({
      name: 'add',
      title: 'Addition',
      description: 'Adds two numbers.',
      inputSchema: { type: 'object', required: ['a', 'b'], additionalProperties: false },
      outputSchema: { type: 'object', required: ['sum'] },
      annotations: { title: 'Addition', readOnlyHint: true, openWorldHint: false },
    });
  });

  test('gets the result of a call as content and as a structure', async () => {
    const served = await serveFixture();
    const client = await served.connect('alice', revision);
    const result = await client.callTool({ name: 'add', arguments: { a: 2, b: 3 } });
    expect(result).toMatchObject({
      content: [{ type: 'text', text: '{"sum":5}' }],
      structuredContent: { sum: 5 },
    });
    expect(result.isError ?? false).toBe(false);
  });

  test('sees other tools when it is somebody else', async () => {
    const served = await serveFixture();
    const [alice, admin] = [await served.connect('alice', revision), await served.connect('admin', revision)];
    const names = async (client: typeof alice) => (await client.listTools()).tools.map(({ name }) => name);
    expect([await names(alice), await names(admin)]).toEqual([
      ['add', 'whoami', 'fail'],
      ['add', 'whoami', 'restart', 'fail'],
    ]);
    expect(await admin.callTool({ name: 'whoami' })).toMatchObject({ content: [{ text: 'an admin' }] });
    expect(await alice.callTool({ name: 'whoami' })).toMatchObject({ content: [{ text: 'somebody' }] });
  });

  test('cannot tell a hidden tool from one that does not exist', async () => {
    const served = await serveFixture();
    const client = await served.connect('alice', revision);
    const answers = [];
    for (const name of ['restart', 'nonsense', '__proto__', 'constructor', '']) {
      answers.push(await client.callTool({ name, arguments: { any: 'thing' } }));
    }
    expect(answers[0]).toMatchObject({ isError: true, content: [{ text: 'The tool is not available.' }] });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  test('learns why its arguments were refused, from the contract itself', async () => {
    const served = await serveFixture();
    const client = await served.connect('alice', revision);
    const result = await client.callTool({ name: 'add', arguments: { a: '2', b: 3, c: 4 } });
    expect(result.isError).toBe(true);
    expect(result).not.toHaveProperty('structuredContent');
    const [block] = result.content;
    expect(block?.type === 'text' && block.text).toMatch(
      /^\/a type: .*\n\(root\) additionalProperties: .*"c"/m,
    );
  });

  test('gets public texts of errors and nothing of any other one', async () => {
    const served = await serveFixture();
    const client = await served.connect('alice', revision);
    const texts = [];
    for (const how of ['public', 'private']) {
      const { content, isError } = await client.callTool({ name: 'fail', arguments: { how } });
      texts.push([isError, content]);
    }
    expect(texts).toEqual([
      [true, [{ type: 'text', text: 'No such city.' }]],
      [true, [{ type: 'text', text: 'The tool failed.' }]],
    ]);
  });

  test('gets every kind of content', async () => {
    const parts = toolOutput({
      parts: [
        { kind: 'image', mediaType: 'image/png', data: 'iVBORw0KGgoA' },
        { kind: 'audio', mediaType: 'audio/wav', data: 'AAAA' },
        { kind: 'resource-link', uri: 'https://example.com/', name: 'Example' },
      ],
    });
    const media = defineTool({
      name: 'media',
      description: '',
      input: { type: 'object' },
      execute: () => parts,
    });
    const served = await serveFixture(gateOf([media]));
    const client = await served.connect('alice', revision);
    const { content } = await client.callTool({ name: 'media' });
    expect(content.map(({ type }) => type)).toEqual(['image', 'audio', 'resource_link']);
  });

  test('reads a long list page by page', async () => {
    const tools = Array.from({ length: 25 }, (_each, index) =>
      defineTool({ name: `tool-${index}`, description: '', input: { type: 'object' }, execute: () => '' }),
    );
    const served = await serveFixture(gateOf(tools), { limits: { pageSize: 10 } });
    const client = await served.connect('alice', revision);
    const pages = [];
    let cursor: string | undefined;
    do {
      const page = await client.request({
        method: 'tools/list',
        params: cursor === undefined ? {} : { cursor },
      });
      pages.push(page.tools.length);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(pages).toEqual([10, 10, 5]);
    // As clients write it whose language has no other word for none.
    const again = await client.request({ method: 'tools/list', params: { cursor: '' } });
    expect([again.tools.length, again.nextCursor]).toEqual([10, expect.stringMatching(/./)]);
    await expect(client.request({ method: 'tools/list', params: { cursor: 'x' } })).rejects.toMatchObject({
      code: -32_602,
    });
  });

  test('hears how far a call is, with the words of the tool', async () => {
    const steps: Tool<Caller> = defineTool({
      name: 'steps',
      description: '',
      input: { type: 'object' },
      execute: async (_input, { progress }) => {
        for (const step of [1, 2, 2, 1, 3]) {
          progress?.({ progress: step, total: 3, message: `step ${step}` });
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
        return 'done';
      },
    });
    const served = await serveFixture(gateOf([steps]));
    const client = await served.connect('alice', revision);
    const heard: unknown[] = [];
    await client.callTool({ name: 'steps' }, { onprogress: (update) => heard.push(update) });
    expect(heard).toEqual([1, 2, 3].map((step) => ({ progress: step, total: 3, message: `step ${step}` })));
  });

  test('cancels one call, and the handler and the record hear of it', async () => {
    const events: GateEvent[] = [];
    const waiting = waitingTool();
    const served = await serveFixture(
      gateOf([waiting.tool, add], { observe: (event) => events.push(event) }),
    );
    const client = await served.connect('alice', revision);
    const controller = new AbortController();
    const call = client.callTool({ name: 'wait' }, { signal: controller.signal });
    await waiting.untilStarted();
    controller.abort('not wanted');
    await expect(call).rejects.toThrow();
    await until(() => events.some(({ kind }) => kind === 'call-end'));
    expect(waiting.aborted).toHaveLength(1);
    expect(events.find(({ kind }) => kind === 'call-end')).toMatchObject({
      outcome: 'unknown',
      reason: 'cancelled_after_dispatch',
    });
    expect(await client.callTool({ name: 'add', arguments: { a: 1, b: 1 } })).toMatchObject({
      structuredContent: { sum: 2 },
    });
  });

  test('takes its calls with it when it goes', async () => {
    const events: GateEvent[] = [];
    const waiting = waitingTool();
    const served = await serveFixture(gateOf([waiting.tool], { observe: (event) => events.push(event) }));
    const client = await served.connect('alice', revision);
    const call = client.callTool({ name: 'wait' });
    call.catch(() => undefined);
    await waiting.untilStarted();
    await client.close();
    await until(() => waiting.aborted.length > 0);
    await until(() =>
      events.some((event) => event.kind === 'call-end' && event.reason === 'cancelled_after_dispatch'),
    );
  });

  test('is told the truth about a call whose end nobody knows', async () => {
    const deaf: Tool<Caller> = defineTool({
      name: 'deaf',
      description: '',
      profile: { class: 'write', timeoutMs: 20 },
      input: { type: 'object' },
      execute: () => new Promise(() => {}),
    });
    const served = await serveFixture(gateOf([deaf]));
    const client = await served.connect('alice', revision);
    expect(await client.callTool({ name: 'deaf' })).toMatchObject({
      isError: true,
      content: [{ text: 'The tool did not finish in time. Its effects are unknown.' }],
    });
  });

  test('makes a second call while the first one runs', async () => {
    const waiting = waitingTool();
    const served = await serveFixture(gateOf([waiting.tool, add]));
    const client = await served.connect('alice', revision);
    const first = client.callTool({ name: 'wait' });
    await waiting.untilStarted();
    expect(await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } })).toMatchObject({
      structuredContent: { sum: 3 },
    });
    waiting.release[0]?.('let go');
    expect(await first).toMatchObject({ content: [{ text: 'let go' }] });
  });

  test('is not let in without a name', async () => {
    const served = await serveFixture();
    await expect(served.connect('', revision)).rejects.toThrow();
  });

  test('goes on after a tool that ended the run', async () => {
    const ending: Tool<Caller> = defineTool({
      name: 'end',
      description: '',
      input: { type: 'object' },
      execute: () => {
        throw new PermanentError(new Error('disk full on db.internal'));
      },
    });
    const errors: unknown[] = [];
    const served = await serveFixture(gateOf([ending, add]), { onError: (error) => errors.push(error) });
    const client = await served.connect('alice', revision);
    await expect(client.callTool({ name: 'end' })).rejects.toThrow('The tool failed and ended the run.');
    expect(errors).toMatchObject([{ code: 'gate/permanent' }]);
    expect(await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } })).toMatchObject({
      structuredContent: { sum: 3 },
    });
  });

  test('learns nothing of a policy that could not decide, and nothing runs', async () => {
    let runs = 0;
    const guarded: Tool<Caller> = defineTool({
      name: 'guarded',
      description: '',
      profile: { class: 'write' },
      input: { type: 'object' },
      execute: () => {
        runs += 1;
      },
    });
    const scope = createScope<Caller>({
      approvalThreshold: 'write',
      approve: () => {
        throw new Error('no route to policy.internal');
      },
    });
    const served = await serveFixture(gateOf([guarded], { scope }));
    const client = await served.connect('alice', revision);
    await expect(client.callTool({ name: 'guarded' })).rejects.toThrow(
      /^(MCP error -32603: )?The call was not run\.$/,
    );
    expect(runs).toBe(0);
  });

  test('gets a fixed error when the list cannot be made', async () => {
    const broken: Tool<Caller> = {
      ...add,
      available: () => {
        throw new Error('no route to policy.internal');
      },
    };
    const served = await serveFixture(gateOf([broken]));
    const client = await served.connect('alice', revision);
    await expect(client.listTools()).rejects.toThrow(/^(MCP error -32603: )?Internal error$/);
  });

  test('has a bounded number of calls without an answer', async () => {
    const waiting = waitingTool();
    const served = await serveFixture(gateOf([waiting.tool]), { limits: { maxCalls: 2 } });
    const client = await served.connect('alice', revision);
    const calls = [client.callTool({ name: 'wait' }), client.callTool({ name: 'wait' })];
    await waiting.untilStarted(2);
    expect(await client.callTool({ name: 'wait' })).toMatchObject({
      isError: true,
      content: [{ text: 'The call was not started: too many calls are waiting for an answer.' }],
    });
    const bob = await served.connect('bob', revision);
    const other = bob.callTool({ name: 'wait' });
    await waiting.untilStarted(3);
    for (const release of waiting.release) release('done');
    expect((await Promise.all([...calls, other])).map(({ isError }) => isError ?? false)).toEqual([
      false,
      false,
      false,
    ]);
  });
});

test.each([
  ['a list', [1, 2], undefined],
  ['a list that is declared', [1, 2], { type: 'array', items: { type: 'integer' } }],
  ['a number', 7, undefined],
  ['null', null, undefined],
])('a structure that is %s is read by clients of each revision', async (_what, structured, outputSchema) => {
  const definition = {
    name: 'find',
    description: '',
    inputSchema: { type: 'object' },
    ...(outputSchema === undefined ? {} : { outputSchema }),
  };
  const find: Tool<Caller> = {
    definition: () => definition,
    call: async () => toolOutput({ parts: [{ kind: 'text', text: 'found' }], structured }),
    profile: { class: 'read' },
  };
  const { connect } = await serveFixture(gateOf([find]));
  const call = { name: 'find', arguments: {} };
  const modern = await connect('alice', '2026-07-28');
  expect(await modern.callTool(call)).toMatchObject({ structuredContent: structured });
  const old = await connect('alice', '2025-11-25');
  await old.listTools();
  expect(await old.callTool(call)).toMatchObject({
    content: [{ type: 'text', text: 'found' }],
    structuredContent: { result: structured },
  });
});

describe('the server', () => {
  test('tells two clients apart that number their requests alike', async () => {
    const waiting = waitingTool();
    const served = await serveFixture(gateOf([waiting.tool]));
    for (const revision of REVISIONS) {
      const [alice, bob] = [await served.connect('alice', revision), await served.connect('bob', revision)];
      const from = waiting.release.length;
      const first = alice.callTool({ name: 'wait' });
      await waiting.untilStarted(from + 1);
      const second = bob.callTool({ name: 'wait' });
      await waiting.untilStarted(from + 2);
      waiting.release[from + 1]?.('for bob');
      expect(await second).toMatchObject({ content: [{ text: 'for bob' }] });
      waiting.release[from]?.('for alice');
      expect(await first).toMatchObject({ content: [{ text: 'for alice' }] });
    }
  });

  test.each(REVISIONS)('shows a new list to a client of %s that was told of it', async (revision) => {
    const served = await serveFixture(gateOf([add]));
    let changes = 0;
    const client = await served.connect('alice', revision, {
      listChanged: {
        tools: {
          autoRefresh: false,
          debounceMs: 0,
          onChanged: () => {
            changes += 1;
          },
        },
      },
    });
    expect((await client.listTools()).tools).toHaveLength(1);
    served.service.replaceGate(gateOf(FIXTURE_TOOLS));
    await until(() => changes > 0);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['add', 'whoami', 'fail']);
  });

  test('holds a session against the list that it was shown until it lists again', async () => {
    const old = defineTool({ name: 'old', description: '', input: { type: 'object' }, execute: () => 'old' });
    const served = await serveFixture(gateOf([old]));
    const client = await served.connect('alice', '2025-11-25');
    await client.listTools();
    served.service.replaceGate(gateOf([add]));
    expect(await client.callTool({ name: 'old' })).toMatchObject({ content: [{ text: 'old' }] });
    await client.listTools();
    expect(await client.callTool({ name: 'old' })).toMatchObject({ isError: true });
  });

  test('joins what runs when it closes', async () => {
    const waiting = waitingTool();
    const events: GateEvent[] = [];
    const served = await serveFixture(gateOf([waiting.tool], { observe: (event) => events.push(event) }));
    const client = await served.connect('alice', '2025-11-25');
    const call = client.callTool({ name: 'wait' });
    call.catch(() => undefined);
    await waiting.untilStarted();
    await served.service.close();
    expect(events.filter(({ kind }) => kind === 'call-end' || kind === 'session-close')).toMatchObject([
      { kind: 'call-end', reason: 'cancelled_after_dispatch' },
      { kind: 'session-close' },
    ]);
    const response = await served.service.fetch(new Request('http://localhost/mcp', { method: 'POST' }));
    expect(response.status).toBe(503);
    await served.service.close();
  });

  test('serves nobody over HTTP without a rule who may come in', async () => {
    const service = serveMcp(createGate({ tools: [] }));
    const request = new Request('http://localhost/mcp', { headers: { host: 'localhost' } });
    expect((await service.fetch(request)).status).toBe(403);
    await expect(service.listen()).rejects.toMatchObject({ code: 'mcp/serve-options-invalid' });
    await service.close();
  });

  test('listens beyond this machine only under names that somebody wrote down', async () => {
    const gate = createGate({ tools: [] });
    const authenticate = () => ({ kind: 'refused' }) as const;
    const local = serveMcp(gate, { authenticate });
    await expect(local.listen({ host: '0.0.0.0' })).rejects.toMatchObject({
      code: 'mcp/serve-options-invalid',
    });
    const open = serveMcp(gate, { authenticate, allowedHosts: ['tools.example.com'] });
    const { url, close } = await open.listen({ host: '0.0.0.0' });
    expect(url).toMatch(/^http:\/\/0\.0\.0\.0:\d+\/mcp$/);
    await close();
    await Promise.all([local.close(), open.close()]);
  });

  test.each([
    ['no object', null],
    ['an unknown field', { port: 1 }],
    ['a limit that is none', { limits: { maxCalls: 0 } }],
    ['an unknown limit', { limits: { maxThings: 1 } }],
    ['authenticate that is no function', { authenticate: {} }],
    ['a prompt without its address', { approvalPrompt: { kind: 'url' } }],
    ['a prompt that is none', { approvalPrompt: { kind: 'sms' } }],
    ['hosts that are none', { allowedHosts: 'localhost' }],
    ['a nameless server', { serverInfo: { name: '', version: '1' } }],
    ['instructions that are no text', { instructions: 1 }],
    ['an error listener that is none', { onError: 1 }],
  ])('refuses options with %s', (_name, options) => {
    expect(() => serveMcp(createGate({ tools: [] }), options as never)).toThrow(
      expect.objectContaining({ code: 'mcp/serve-options-invalid' }),
    );
  });
});
