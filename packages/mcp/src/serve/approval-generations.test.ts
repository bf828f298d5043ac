import { createScope, defineTool, type Tool } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import { type Caller, gateOf, REVISIONS, serveFixture } from '../../test-support/serve-fixture.ts';
import { createApprovalDesk } from './approval-desk.ts';

const CALL = { name: 'send', arguments: { amount: 5 } };

/** A gate with a tool that needs a yes. */
function guardedGate(description: string, sent: string[]) {
  const send: Tool<Caller> = defineTool({
    name: 'send',
    description,
    profile: { class: 'write' },
    input: { type: 'object', properties: { amount: { type: 'number' } } },
    execute: () => {
      sent.push(description);
      return 'sent';
    },
  });
  const scope = createScope<Caller>({ approvalThreshold: 'write', approve: () => 'defer' as const });
  return gateOf([send], { scope });
}

async function serveGuarded() {
  const sent: string[] = [];
  const desk = createApprovalDesk();
  const served = await serveFixture(guardedGate('old', sent), { desk });
  const { service, connect } = served;
  return { sent, desk, service, connect };
}

describe.each(REVISIONS)('a yes that a client of %s waits for', (revision) => {
  test('for a tool as it was is worth nothing for what took its place', async () => {
    const { sent, desk, service, connect } = await serveGuarded();
    const client = await connect('alice', revision);
    await client.callTool(CALL);
    const [old] = desk.waiting();
    service.replaceGate(guardedGate('new', sent));
    await client.listTools();
    desk.decide(old?.id ?? '', { kind: 'allow' });
    expect(await client.callTool(CALL)).toMatchObject({ isError: true });
    expect([sent, desk.waiting().map(({ id }) => id === old?.id)]).toEqual([[], [false]]);
  });

  test('holds for the same tool of another gate, once', async () => {
    const { sent, desk, service, connect } = await serveGuarded();
    const client = await connect('alice', revision);
    await client.callTool(CALL);
    service.replaceGate(guardedGate('old', sent));
    desk.decide(desk.waiting()[0]?.id ?? '', { kind: 'allow' });
    expect(await client.callTool(CALL)).toMatchObject({ content: [{ text: 'sent' }] });
    expect(await client.callTool(CALL)).toMatchObject({ isError: true });
    expect(sent).toEqual(['old']);
  });

  test('is found whichever of two equal calls was decided, and each yes runs one', async () => {
    const { sent, desk, connect } = await serveGuarded();
    const client = await connect('alice', revision);
    await client.callTool(CALL);
    const [first] = desk.waiting();
    if (first === undefined) throw new Error('Nothing waits.');
    // As if the call had come twice at the same time.
    desk.submit({ ...first, id: 'second' });
    desk.decide('second', { kind: 'allow' });
    expect(await client.callTool(CALL)).toMatchObject({ content: [{ text: 'sent' }] });
    expect(await client.callTool(CALL)).toMatchObject({ isError: true });
    expect([sent, desk.waiting().map(({ id }) => id)]).toEqual([['old'], [first.id]]);
  });
});
