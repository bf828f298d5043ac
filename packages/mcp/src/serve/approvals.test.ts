import type { ClientOptions } from '@modelcontextprotocol/client';
import { createScope, defineTool, type GateEvent, type Tool } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import { type Caller, gateOf, REVISIONS, serveFixture } from '../../test-support/serve-fixture.ts';
import { createApprovalDesk } from './approval-desk.ts';
import type { ServeOptions } from './serve-options.ts';

/** A tool that needs a yes, what it did, and where a person decides. */
async function serveGuarded(options: ServeOptions<Caller> = {}) {
  const sent: unknown[] = [];
  const events: GateEvent[] = [];
  const send: Tool<Caller> = defineTool({
    name: 'send',
    description: 'Sends money.',
    profile: { class: 'write' },
    input: {
      type: 'object',
      properties: { amount: { type: 'number' }, currency: { type: 'string', default: 'CHF' } },
      required: ['amount'],
    },
    execute: (input) => {
      sent.push(input);
      return 'sent';
    },
  });
  const desk = createApprovalDesk();
  const scope = createScope<Caller>({ approvalThreshold: 'write', approve: () => 'defer' as const });
  const served = await serveFixture(gateOf([send], { scope, observe: (event) => events.push(event) }), {
    desk,
    ...options,
  });
  return { desk, sent, events, connect: served.connect, post: served.post };
}

const CALL = { name: 'send', arguments: { amount: 5 } };
const WAITING =
  /^The call awaits a decision \(approval ([\w-]+)\)\. Nothing has run\. Repeat the same call after the decision\.$/;

/** The id of the approval that a text names. */
function waitingId(result: {
  readonly content: readonly unknown[];
  readonly isError?: boolean | undefined;
}): string {
  const [block] = result.content;
  const text = typeof block === 'object' && block !== null && 'text' in block ? String(block.text) : '';
  expect(text).toMatch(WAITING);
  expect(result.isError).toBe(true);
  return WAITING.exec(text)?.[1] ?? '';
}

/** A client whose person can be asked in the given ways. */
const askable = (mode: 'form' | 'url' = 'form'): ClientOptions => ({
  capabilities: { elicitation: { [mode]: {} } },
});

describe.each(REVISIONS)('a client of %s whose call needs a decision', (revision) => {
  test('is told so, and repeats the call after the decision', async () => {
    const { desk, sent, connect } = await serveGuarded();
    const client = await connect('alice', revision);
    const id = waitingId(await client.callTool(CALL));
    expect(waitingId(await client.callTool(CALL))).toBe(id);
    expect(desk.waiting().map((request) => request.id)).toEqual([id]);
    expect(desk.decide(id, { kind: 'allow' })).toBe(true);
    expect(sent).toEqual([]);
    expect(await client.callTool(CALL)).toMatchObject({ content: [{ text: 'sent' }] });
    expect(sent).toEqual([{ amount: 5, currency: 'CHF' }]);
    expect(waitingId(await client.callTool(CALL))).not.toBe(id);
    expect(sent).toHaveLength(1);
  });

  test('gets the refusal of whoever decided, once', async () => {
    const { desk, sent, connect } = await serveGuarded();
    const client = await connect('alice', revision);
    const id = waitingId(await client.callTool(CALL));
    desk.decide(id, { kind: 'decline', reason: 'too much' });
    expect(await client.callTool(CALL)).toMatchObject({
      isError: true,
      content: [{ text: 'The call was declined. Do not repeat it. Reason: too much' }],
    });
    expect(sent).toEqual([]);
  });

  test('runs with what the reviewer changed', async () => {
    const { desk, sent, connect } = await serveGuarded();
    const client = await connect('alice', revision);
    desk.decide(waitingId(await client.callTool(CALL)), { kind: 'allow', arguments: { amount: 1 } });
    await client.callTool(CALL);
    expect(sent).toEqual([{ amount: 1, currency: 'CHF' }]);
  });

  test('cannot use a yes for other arguments, and nobody else can use it', async () => {
    const { desk, sent, connect } = await serveGuarded();
    const [alice, bob] = [await connect('alice', revision), await connect('bob', revision)];
    const id = waitingId(await alice.callTool(CALL));
    desk.decide(id, { kind: 'allow' });
    for (const result of [
      await alice.callTool({ name: 'send', arguments: { amount: 6 } }),
      await bob.callTool(CALL),
    ]) {
      expect(waitingId(result)).not.toBe(id);
    }
    expect(sent).toEqual([]);
  });

  test('is asked itself where its person may decide', async () => {
    const { sent, connect } = await serveGuarded({ approvalPrompt: { kind: 'form' } });
    const asked: unknown[] = [];
    const client = await connect('alice', revision, askable());
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params);
      return { action: 'accept', content: { approve: true } };
    });
    expect(await client.callTool(CALL)).toMatchObject({ content: [{ text: 'sent' }] });
    expect(asked).toMatchObject([{ message: 'Run send (write) with {"amount":5,"currency":"CHF"}?' }]);
    expect(sent).toHaveLength(1);
  });

  test.each([
    ['accepts without saying yes', { action: 'accept', content: { approve: false } }],
    ['declines', { action: 'decline' }],
  ])('does not run when the person %s', async (_name, answer) => {
    const { sent, connect } = await serveGuarded({ approvalPrompt: { kind: 'form' } });
    const client = await connect('alice', revision, askable());
    client.setRequestHandler('elicitation/create', () => answer as never);
    expect(await client.callTool(CALL)).toMatchObject({
      isError: true,
      content: [{ text: 'The call was declined. Do not repeat it.' }],
    });
    expect(sent).toEqual([]);
  });

  test('keeps waiting when the person closes the question', async () => {
    const { desk, sent, connect } = await serveGuarded({ approvalPrompt: { kind: 'form' } });
    const client = await connect('alice', revision, askable());
    client.setRequestHandler('elicitation/create', () => ({ action: 'cancel' }));
    const id = waitingId(await client.callTool(CALL));
    expect(desk.waiting().map((request) => request.id)).toEqual([id]);
    expect(sent).toEqual([]);
  });

  test('is sent to a page, and only what the desk says counts', async () => {
    const { desk, sent, connect } = await serveGuarded({
      approvalPrompt: { kind: 'url', url: ({ id }) => `https://console.example.com/approvals/${id}` },
    });
    const client = await connect('alice', revision, askable('url'));
    let decideThere = false;
    client.setRequestHandler('elicitation/create', ({ params }) => {
      const id = /approvals\/([\w-]+)$/.exec('url' in params ? String(params.url) : '')?.[1] ?? '';
      if (decideThere) desk.decide(id, { kind: 'allow' });
      return { action: 'accept' };
    });
    waitingId(await client.callTool(CALL));
    expect(sent).toEqual([]);
    decideThere = true;
    expect(await client.callTool(CALL)).toMatchObject({ content: [{ text: 'sent' }] });
    expect(sent).toHaveLength(1);
  });

  test('gets the text when its person cannot be asked in this way', async () => {
    const { connect } = await serveGuarded({ approvalPrompt: { kind: 'form' } });
    const client = await connect('alice', revision, askable('url'));
    waitingId(await client.callTool(CALL));
  });

  test('is told that there is no room, and nothing is kept or run', async () => {
    const { sent, connect } = await serveGuarded({ desk: createApprovalDesk({ maxEntriesPerPrincipal: 1 }) });
    const client = await connect('alice', revision);
    waitingId(await client.callTool(CALL));
    expect(await client.callTool({ name: 'send', arguments: { amount: 7 } })).toMatchObject({
      isError: true,
      content: [{ text: 'The call was not started: too many calls wait for a decision.' }],
    });
    expect(sent).toEqual([]);
  });
});

test('a client that answers what it was not asked decides nothing', async () => {
  const { post, desk, sent } = await serveGuarded({ approvalPrompt: { kind: 'form' } });
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  };
  const call = async (extra: object) => {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { ...CALL, _meta: meta, ...extra },
    });
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'send' };
    const response = await post(body, headers);
    return (await response.json()) as Record<string, Record<string, unknown>>;
  };
  const inputResponses = { approval: { action: 'accept', content: { approve: true } } };
  const unasked = await call({ inputResponses });
  expect(unasked['result']).toMatchObject({ resultType: 'input_required' });
  const state = String(unasked['result']?.['requestState']);
  for (const requestState of ['', 'v1.e30.AAAA', `${state}x`, state.slice(0, -2)]) {
    expect((await call({ inputResponses, requestState }))['error']).toMatchObject({ code: -32_602 });
  }
  expect((await call({ inputResponses: {}, requestState: state }))['result']).toMatchObject({
    isError: true,
  });
  expect([sent, desk.waiting().length]).toEqual([[], 1]);
  expect((await call({ inputResponses, requestState: state }))['result']).toMatchObject({
    content: [{ text: 'sent' }],
  });
  expect(sent).toHaveLength(1);
});

test('a call with arguments that are none is refused before anybody is asked', async () => {
  const { post, events } = await serveGuarded();
  const initialize = await post(
    JSON.stringify({
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
    }),
  );
  await initialize.text();
  const session = { 'mcp-session-id': initialize.headers.get('mcp-session-id') ?? '' };
  for (const wrong of [[1, 2], 'text', 7, true]) {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'send', arguments: wrong },
    });
    const text = await (await post(body, session)).text();
    expect(text).toContain('"code":-32602');
  }
  expect(events.some(({ kind }) => kind === 'call-start' || kind === 'approval-request')).toBe(false);
});

test('a client that takes no stream and would have to be asked runs nothing', async () => {
  const { sent, post } = await serveGuarded({ approvalPrompt: { kind: 'form' } });
  const accept = 'application/json';
  const handshake = {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: { form: {} } },
    clientInfo: { name: 'test', version: '1' },
  };
  const begun = await post(
    JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: handshake }),
    {
      accept,
    },
  );
  expect(begun.status).toBe(200);
  const headers = { accept, 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' };
  await post(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }), headers);
  const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: CALL });
  expect((await post(message, headers)).status).toBe(406);
  expect(sent).toEqual([]);
  // Its id is free again.
  expect((await post(message, headers)).status).toBe(406);
});
