import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFakeClock } from '../../../testing/src/clock/fake-clock.ts';
import type { ApprovalDecision } from '../policy/approval.ts';
import { createScope } from '../policy/scope.ts';
import { CallError } from '../tool/call-error.ts';
import { defineTool } from '../tool/define-tool.ts';
import { Failure } from '../tool/failure.ts';
import { PermanentError } from '../tool/permanent-error.ts';
import type { Profile } from '../tool/profile.ts';
import { ToolError } from '../tool/tool-error.ts';
import { createGate } from './create-gate.ts';
import { GateError } from './gate-error.ts';
import type { GateEvent } from './gate-event.ts';
import type { SessionReport } from './gate-session.ts';
import type { Outcome } from './outcome.ts';

/** What a test does next. */
type Action =
  | { readonly kind: 'admit'; readonly tool: string; readonly size: number }
  | { readonly kind: 'settle'; readonly which: number; readonly how: number }
  | { readonly kind: 'decide'; readonly which: number; readonly how: number }
  | { readonly kind: 'advance'; readonly ms: number }
  | { readonly kind: 'revoke' }
  | { readonly kind: 'abort' }
  | { readonly kind: 'close' };

const PROFILES: Readonly<Record<string, Profile>> = {
  read: { class: 'read', timeoutMs: 40 },
  single: { timeoutMs: 60 },
  barrier: { class: 'write', timeoutMs: 40 },
  keyed: { class: 'write', resourceKey: 'k', timeoutMs: 40 },
  external: { class: 'external', timeoutMs: 'none' },
};

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('admit' as const),
      tool: fc.constantFrom(...Object.keys(PROFILES), 'unknown'),
      size: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('settle' as const), which: fc.nat(), how: fc.nat() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('decide' as const), which: fc.nat(), how: fc.nat() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('advance' as const), ms: fc.integer({ min: 0, max: 50 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'revoke' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'abort' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'close' as const }) },
);

interface Handler {
  readonly callId: string;
  readonly settle: (how: number) => void;
  settled: 'fulfilled' | 'rejected' | undefined;
}

const throws = [
  () => new Error('x'),
  () => new ToolError('public'),
  () => new Failure({ kind: 'rejected', output: 'no' }),
  () => new CallError({ cause: 1, evidence: 'some' }),
  () => undefined,
  () => new PermanentError('end'),
];

/** A gate whose handlers and approvers settle when the test says so. */
function createWorld() {
  const clock = createFakeClock();
  const events: GateEvent[] = [];
  const handlers: Handler[] = [];
  const questions: ((decision: ApprovalDecision) => void)[] = [];
  const state = { available: true };
  const tools = Object.entries(PROFILES).map(([name, profile]) =>
    defineTool({
      name,
      description: '',
      input: { type: 'object' },
      profile,
      available: () => state.available,
      execute: (_input, { callId = '' }) =>
        new Promise((resolve, reject) => {
          const handler: Handler = {
            callId,
            settled: undefined,
            settle: (how) => {
              if (handler.settled === undefined) handler.settled = how % 2 === 0 ? 'fulfilled' : 'rejected';
              if (how % 2 === 0) resolve('done');
              else reject(throws[how % throws.length]?.());
            },
          };
          handlers.push(handler);
        }),
    }),
  );
  const scope = createScope({
    approvalThreshold: 'external',
    approvalLifetimeMs: 70,
    approve: () =>
      new Promise((resolve) => {
        questions.push(resolve);
      }),
  });
  const gate = createGate({
    tools,
    scope,
    clock,
    concurrency: 2,
    graceMs: 20,
    observe: (event) => events.push(event),
  });
  return { clock, events, handlers, questions, state, gate };
}

const decisions: readonly ApprovalDecision[] = ['allow', 'decline', 'defer', 'yes' as ApprovalDecision];

test('no sequence of calls, cancellations, time-outs, decisions and ends loses or doubles an outcome', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 25 }), async (actions) => {
      const { clock, events, handlers, questions, state, gate } = createWorld();
      const controller = new AbortController();
      const session = await gate.open({ context: 0, signal: controller.signal });
      const settled = new Map<string, Outcome[]>();
      const turns: Promise<void>[] = [];
      let admitted = 0;
      let refused = 0;
      // What still runs when the session says that it is closed; taken once.
      let open: readonly string[] | undefined;
      const close = async (): Promise<SessionReport> => {
        const report = await session.close();
        open ??= handlers.filter(({ settled }) => settled === undefined).map(({ callId }) => callId);
        return report;
      };
      const note = (outcomes: readonly Outcome[]): void => {
        for (const outcome of outcomes)
          settled.set(outcome.callId, [...(settled.get(outcome.callId) ?? []), outcome]);
      };
      for (const step of actions) {
        switch (step.kind) {
          case 'admit': {
            const calls = Array.from({ length: step.size }, (_, index) => ({
              id: `c${admitted + index}`,
              name: step.tool,
              arguments: '{}',
            }));
            admitted += calls.length;
            turns.push(
              session.executeAll(calls).then(note, (error: unknown) => {
                if (!GateError.is(error)) throw error;
                if (error.code === 'gate/session-closed') refused += calls.length;
                else note(error.outcomes ?? []);
              }),
            );
            break;
          }
          case 'settle':
            handlers[step.which % Math.max(handlers.length, 1)]?.settle(step.how);
            break;
          case 'decide':
            questions[step.which % Math.max(questions.length, 1)]?.(
              decisions[step.how % decisions.length] ?? 'allow',
            );
            break;
          case 'advance':
            // What was settled by now comes before the time that passes.
            await clock.advance(0);
            await clock.advance(step.ms);
            break;
          case 'revoke':
            state.available = !state.available;
            break;
          case 'abort':
            controller.abort();
            break;
          case 'close':
            void close();
            break;
        }
      }
      await clock.advance(0);
      const closing = close();
      await clock.advance(20);
      const report = await closing;
      await Promise.all(turns);

      const ran = new Map<string, Handler[]>();
      for (const handler of handlers) ran.set(handler.callId, [...(ran.get(handler.callId) ?? []), handler]);
      const ends = events.filter((event) => event.kind === 'call-end');
      // Every call that came in has one outcome, one beginning and one end, and was executed once at most.
      expect([...settled.keys()].length).toBe(admitted - refused);
      expect([...settled.values()].every((outcomes) => outcomes.length === 1)).toBe(true);
      expect(events.filter(({ kind }) => kind === 'call-start').length).toBe(admitted - refused);
      expect(ends.map(({ callId }) => callId).sort()).toEqual([...settled.keys()].sort());
      expect([...ran.values()].every(({ length }) => length === 1)).toBe(true);
      for (const end of ends) {
        const handler = ran.get(end.callId)?.[0];
        // What did not run is never said to have, and what ran is never said not to have.
        expect(end.dispatched).toBe(handler !== undefined);
        if (handler === undefined) expect(['rejected', 'suspended']).toContain(end.outcome);
        else expect(['completed', 'failed', 'rejected', 'unknown']).toContain(end.outcome);
        if (end.outcome === 'completed') expect(handler?.settled).toBe('fulfilled');
        if (end.reason === 'not_started' || end.reason === 'tool_unavailable')
          expect(handler).toBeUndefined();
      }
      // Handlers that still run are named, and only such as were given up.
      const named = report.stragglers.map(({ callId }) => callId);
      expect(named).toEqual(expect.arrayContaining([...(open ?? [])]));
      const givenUp = ends.filter(
        ({ reason }) => reason === 'deadline_exceeded' || reason === 'cancelled_after_dispatch',
      );
      expect(givenUp.map(({ callId }) => callId)).toEqual(expect.arrayContaining(named));
      // Whatever they do now changes nothing, and leaves nothing behind.
      for (const handler of handlers) handler.settle(1);
      for (const answer of questions) answer('allow');
      await clock.advance(1_000);
      expect(events.filter(({ kind }) => kind === 'call-end').length).toBe(ends.length);
      expect(clock.pending).toBe(0);
    }),
    { numRuns: 400 },
  );
});
