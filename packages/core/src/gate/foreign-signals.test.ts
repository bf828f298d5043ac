import { describe, expect, test } from 'vitest';
import { defineTool } from '../tool/define-tool.ts';
import { createGate } from './create-gate.ts';
import { followSignal } from './follow-signal.ts';

/** A signal of another realm, with whatever is wrong about it, and who aborts it. */
function foreign(members: Readonly<Record<string, unknown>> = {}) {
  const listeners = new Set<() => void>();
  const state = {
    aborted: false,
    reason: undefined as unknown,
    addEventListener: (_type: string, listener: () => void) => listeners.add(listener),
    removeEventListener: (_type: string, listener: () => void) => listeners.delete(listener),
    ...members,
  };
  const abort = (): void => {
    state.aborted = true;
    for (const listener of [...listeners]) listener();
  };
  return { signal: state as unknown as AbortSignal, listeners, abort };
}

function setUp() {
  const ran: unknown[] = [];
  const tool = defineTool({
    name: 'pay',
    description: 'Pays.',
    profile: { class: 'write' },
    input: { type: 'object' },
    execute: (_input, { callId }) => {
      ran.push(callId);
      return 'paid';
    },
  });
  return { ran, gate: createGate({ tools: [tool] }) };
}

const call = (id: string) => ({ id, name: 'pay', arguments: '{}' });
const broken = (): never => {
  throw new Error('broken');
};

describe('a signal', () => {
  test('that nobody could stop to listen to is refused before anything runs', async () => {
    const { ran, gate } = setUp();
    const half = foreign({ removeEventListener: undefined }).signal;
    const refused = { code: 'gate/options-invalid', message: 'signal is an AbortSignal.' };
    await expect(gate.open({ context: 0, signal: half })).rejects.toMatchObject(refused);
    const session = await gate.open();
    await expect(session.execute(call('a'), { signal: half })).rejects.toMatchObject(refused);
    await session.close();
    expect(ran).toEqual([]);
  });

  test('that does not let go changes no outcome', async () => {
    const { gate } = setUp();
    const { signal } = foreign({ removeEventListener: broken });
    const session = await gate.open({ context: 0, signal });
    expect((await session.execute(call('a'), { signal })).reason).toBe('completed');
    expect((await session.execute(call('b'), { signal })).reason).toBe('completed');
    expect(await session.close()).toMatchObject({ calls: 2 });
  });

  test('that cannot be listened to starts no call, and is asked again for the next', async () => {
    const { ran, gate } = setUp();
    const { signal } = foreign({ addEventListener: broken });
    const session = await gate.open();
    for (const id of ['a', 'b'])
      await expect(session.execute(call(id), { signal })).rejects.toThrow('broken');
    expect((await session.execute(call('c'))).reason).toBe('completed');
    await session.close();
    expect(ran).toEqual(['c']);
  });
});

test('all who follow a signal that does not let go are told once', () => {
  const { signal, abort, listeners } = foreign({ removeEventListener: broken });
  const told: string[] = [];
  const end = followSignal(signal, () => told.push('ended'));
  end();
  followSignal(signal, () => told.push('a'));
  followSignal(signal, () => told.push('b'));
  expect(listeners.size).toBe(2);
  abort();
  abort();
  expect(told).toEqual(['a', 'b']);
});
