import { createGate, createScope, defineTool, PermanentError, ToolError } from '@toolgate/core';
import { createFakeClock, createScriptedModel, type ScriptedTurn } from '@toolgate/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { createAgent } from './create-agent.ts';
import type { RunResult } from './run-result.ts';
import type { RunDecision } from './state/run-decision.ts';

const input = { type: 'object' } as const;

/** Everything that a tool can do to a run. `slow` ends with the clock, `stuck` never; `pay` and `buy` need a decision. */
function world() {
  const clock = createFakeClock({ now: 1_000 });
  const runs = new Map<string, number>();
  const controller = new AbortController();
  const tool = (
    name: string,
    type: 'read' | 'external',
    execute: (signal: AbortSignal) => unknown,
    timeoutMs = 50,
  ) =>
    defineTool({
      name,
      description: name,
      profile: { class: type, timeoutMs },
      input,
      execute: (_, { signal, callId = '' }) => {
        runs.set(callId, (runs.get(callId) ?? 0) + 1);
        return execute(signal);
      },
    });
  const wait = (ms: number) => new Promise((resolve) => clock.setTimer(() => resolve(ms), ms));
  const tools = [
    tool('ok', 'read', () => 'ok'),
    tool('throws', 'read', () => {
      throw new Error('x');
    }),
    tool('says', 'read', () => {
      throw new ToolError('no');
    }),
    tool('slow', 'read', () => wait(20)),
    tool('late', 'read', () => wait(80)),
    tool('stuck', 'read', () => new Promise(() => undefined)),
    tool('cancels', 'read', () => {
      controller.abort();
      return 'done';
    }),
    tool('ends', 'read', async () => {
      await wait(5);
      throw new PermanentError(new Error('over'));
    }),
    tool('pay', 'external', () => 'paid'),
    tool('buy', 'external', () => wait(10)),
  ];
  const scope = createScope({
    approve: () => 'defer',
    approvalThreshold: 'external',
    approvalLifetimeMs: 500,
  });
  return { clock, runs, controller, gate: createGate({ tools, scope, clock, graceMs: 5 }) };
}

const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('ok', 'throws', 'says', 'slow', 'late', 'pay', 'buy') },
  { weight: 1, arbitrary: fc.constantFrom('stuck', 'cancels', 'ends', 'unknown') },
);
const callOf = fc.record({
  name,
  arguments: fc.oneof(
    { weight: 5, arbitrary: fc.integer().map((at) => `{"at":${at}}`) },
    fc.constantFrom('', '{', '[]'),
  ),
  id: fc.oneof({ weight: 5, arbitrary: fc.uuid() }, fc.constantFrom('', 'same', 'null', 'a\nb')),
});
const turnOf: fc.Arbitrary<ScriptedTurn> = fc.record({
  calls: fc.array(callOf, { minLength: 1, maxLength: 5 }),
  finish: fc.oneof(
    { weight: 8, arbitrary: fc.constant('tool-calls' as const) },
    fc.constantFrom('length', 'refusal', 'unknown'),
  ),
});
const decisionOf = fc.constantFrom<readonly ('allow' | 'decline' | 'edit' | 'wait' | 'expire' | 'twice')[]>(
  ['allow'],
  ['decline'],
  ['edit'],
  ['wait', 'allow'],
  ['expire'],
  ['twice'],
);

function decide(kind: string, approvalId: string): readonly RunDecision[] {
  switch (kind) {
    case 'allow':
      return [{ approvalId, decision: 'allow' }];
    case 'twice':
      return [
        { approvalId, decision: 'allow' },
        { approvalId, decision: 'decline' },
      ];
    case 'decline':
      return [{ approvalId, decision: 'decline' }];
    case 'edit':
      return [{ approvalId, decision: 'edit', arguments: { edited: true } }];
    default:
      return [];
  }
}

/** Drives a clock until a promise settles. */
async function settle<Value>(
  clock: ReturnType<typeof createFakeClock>,
  promise: Promise<Value>,
): Promise<Value> {
  let open = true;
  const end = (): void => {
    open = false;
  };
  promise.then(end, end);
  await clock.advance(0);
  while (open) if (!(await clock.advanceToNext())) await clock.advance(0);
  return promise;
}

function checkHistory({ items, outcomes, stopReason, pending }: RunResult): void {
  const calls = items.flatMap((item) => (item.kind === 'tool-call' ? [item.callId] : []));
  const results = items.flatMap((item) => (item.kind === 'tool-result' ? [item.callId] : []));
  expect(new Set(calls).size).toBe(calls.length);
  expect(stopReason === 'suspended').toBe(pending.length > 0);
  if (stopReason === 'suspended') return;
  expect(results).toEqual(calls);
  expect(outcomes.map(({ callId }) => callId)).toEqual(calls);
  expect(outcomes.every(({ kind }) => kind !== 'suspended')).toBe(true);
}

test('each call has one outcome and one result, in order, none lost or doubled, whatever happens', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(turnOf, { minLength: 1, maxLength: 4 }),
      fc.infiniteStream(decisionOf),
      async (turns, decisions) => {
        const { clock, runs, controller, gate } = world();
        const model = createScriptedModel({ turns: [...turns, { text: 'Done.' }] });
        const agent = createAgent({ model, gate, clock });
        const options = { context: undefined, signal: controller.signal };
        let result = await settle(clock, agent.run('go', options));
        checkHistory(result);
        for (let round = 0; result.state !== undefined; round++) {
          expect(round).toBeLessThan(100);
          const [kinds = ['allow']] = decisions.take(1);
          const [first] = result.pending;
          const settled = result.outcomes.length;
          for (const kind of kinds) {
            if (result.state === undefined || first === undefined) break;
            if (kind === 'expire') await clock.advance(500);
            const stored = JSON.parse(JSON.stringify(result.state));
            result = await settle(clock, agent.resume(stored, decide(kind, first.id), options));
            checkHistory(result);
          }
          expect(result.outcomes.length).toBeGreaterThan(settled);
        }
        for (const count of runs.values()) expect(count).toBe(1);
      },
    ),
    propertyRuns(120),
  );
}, 120_000);
