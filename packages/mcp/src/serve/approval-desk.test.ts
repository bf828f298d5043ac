import { type ApprovalRequest, createGate, createScope, defineTool } from '@toolgate/core';
import { expect, test } from 'vitest';
import { createFakeClock } from '../../../testing/src/clock/fake-clock.ts';
import { createApprovalDesk } from './approval-desk.ts';

/** A genuine request of a gate. */
async function requestOf(principal: string, city = 'Bern'): Promise<ApprovalRequest> {
  const gate = createGate({
    scope: createScope({ approvalThreshold: 'write', approve: () => 'defer' as const }),
    tools: [
      defineTool({
        name: 'send',
        description: '',
        profile: { class: 'write' },
        input: { type: 'object' },
        execute: () => '',
      }),
    ],
    clock: createFakeClock({ now: 1_000 }),
  });
  const session = await gate.open({ context: undefined, principal });
  const outcome = await session.execute({ id: 'c', name: 'send', arguments: JSON.stringify({ city }) });
  await session.close();
  if (outcome.kind !== 'suspended') throw new Error(outcome.reason);
  return outcome.approval;
}

test('a decision is made once and used once', async () => {
  const desk = createApprovalDesk({ clock: createFakeClock({ now: 1_000 }) });
  const request = await requestOf('alice');
  expect(desk.submit(request)).toBe(true);
  expect(desk.waiting()).toEqual([request]);
  expect(desk.take(request.id)).toBeUndefined();
  expect(desk.decide('another', { kind: 'allow' })).toBe(false);
  expect(desk.decide(request.id, { kind: 'allow' })).toBe(true);
  expect(desk.decide(request.id, { kind: 'decline' })).toBe(false);
  expect(desk.waiting()).toEqual([]);
  expect(desk.take(request.id)).toMatchObject({ request: { id: request.id }, decision: { kind: 'allow' } });
  expect(desk.take(request.id)).toBeUndefined();
});

test('what is found belongs to the principal and the tool that are asked for', async () => {
  const desk = createApprovalDesk({ clock: createFakeClock({ now: 1_000 }) });
  const request = await requestOf('alice');
  desk.submit(request);
  expect(desk.find({ principal: 'alice', tool: 'send' })).toHaveLength(1);
  expect(desk.find({ principal: 'bob', tool: 'send' })).toEqual([]);
  expect(desk.find({ principal: 'alice', tool: 'read' })).toEqual([]);
});

test('what is too old is gone, decided or not', async () => {
  const clock = createFakeClock({ now: 1_000 });
  const desk = createApprovalDesk({ clock });
  const request = await requestOf('alice');
  desk.submit(request);
  await clock.advance(3_600_000);
  expect(desk.decide(request.id, { kind: 'allow' })).toBe(false);
  expect(desk.find({ principal: 'alice', tool: 'send' })).toEqual([]);
});

test('one principal does not fill the desk of the others', async () => {
  const desk = createApprovalDesk({
    clock: createFakeClock({ now: 1_000 }),
    maxEntries: 3,
    maxEntriesPerPrincipal: 1,
  });
  expect(desk.submit(await requestOf('alice'))).toBe(true);
  expect(desk.submit(await requestOf('alice', 'Basel'))).toBe(false);
  expect(desk.submit(await requestOf('bob'))).toBe(true);
  expect(desk.submit(await requestOf('carol'))).toBe(true);
  expect(desk.submit(await requestOf('dave'))).toBe(false);
});

test.each([0, -1, 1.5, Number.NaN])('a desk for %s entries is misuse', (maxEntries) => {
  expect(() => createApprovalDesk({ maxEntries })).toThrow(
    expect.objectContaining({ code: 'mcp/serve-options-invalid' }),
  );
});
