import {
  type CallContext,
  createGate,
  createScope,
  defineTool,
  type Gate,
  type Profile,
  type Tool,
} from '@toolgate/core';
import type { FakeClock, ScriptedTurn } from '@toolgate/testing';
import type { DurableAgent, DurableEvent } from '../src/durable-agent/durable-agent.ts';

/** What the tools of these tests need to know. */
export interface Caller {
  readonly user: string;
}

/** One payment as it was made. */
export interface Payment {
  readonly amount: number;
  readonly key: string | undefined;
  readonly user: string;
}

/**
 * A tool that only looks, one that pays after an approval, and what was paid.
 *
 * @param profile - What is declared of paying beside its class.
 */
export function paying(profile: Profile = {}): {
  readonly paid: readonly Payment[];
  readonly gate: Gate<Caller>;
} {
  const paid: Payment[] = [];
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    profile: { class: 'external', ...profile },
    input: { type: 'object', properties: { amount: { type: 'integer' } }, required: ['amount'] } as const,
    execute: ({ amount }, { context, idempotencyKey }: CallContext<Caller>) => {
      paid.push({ amount, key: idempotencyKey, user: context.user });
      return `paid ${amount}`;
    },
  });
  const scope = createScope<Caller>({
    approve: () => 'defer',
    approvalThreshold: 'external',
    approvalLifetimeMs: 60_000,
  });
  return { paid, gate: createGate<Caller>({ tools: [simpleTool('look', 'read'), pay], scope }) };
}

/** A tool that takes anything and is done at once. */
export function simpleTool(name: string, type: 'read' | 'write' | 'external'): Tool {
  return defineTool({
    name,
    description: name,
    profile: { class: type },
    input: { type: 'object' } as const,
    execute: () => 'done',
  });
}

/** A turn that looks and pays, and one that ends. */
export const payingTurns: readonly ScriptedTurn[] = [
  { text: 'One moment.', calls: [{ name: 'look' }, { name: 'pay', arguments: { amount: 7 } }] },
  { text: 'Done.' },
];

/** Finds the caller in what a run was started with. */
export const contextOf = ({ reference }: { readonly reference: unknown }): Caller => ({
  user: String(reference),
});

/** All events of a run. */
export async function collect(events: AsyncIterable<DurableEvent>): Promise<readonly DurableEvent[]> {
  const all: DurableEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** Resolves when a run gives its first event of a kind. */
export async function firstEvent(
  events: AsyncIterable<DurableEvent>,
  kind: DurableEvent['kind'],
): Promise<DurableEvent> {
  for await (const event of events) if (event.kind === kind) return event;
  throw new Error('the run ended first');
}

/** The oldest approval that waits, as soon as there is one. */
export async function firstApproval(
  agent: DurableAgent,
): Promise<Awaited<ReturnType<DurableAgent['pending']>>[number]['approval']> {
  for (;;) {
    const [first] = await agent.pending();
    if (first !== undefined) return first.approval;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Moves a clock on until something is so. */
export async function advanceUntil(clock: FakeClock, isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await clock.advance(1);
}
