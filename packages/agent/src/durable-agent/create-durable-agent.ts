import { JsonError, type JsonValue, toJsonValue } from '@toolgate/core';
import { readAgentConfig } from '../agent-config.ts';
import { AgentError } from '../agent-error.ts';
import type { AgentEvent } from '../agent-event.ts';
import type { DurableRun, Loop, RunStatus } from '../durable/port.ts';
import { approvalWaitKey } from '../loop/await-decisions.ts';
import { type Advertised, type FailureData, LOOP_VERSION } from '../loop/loop-rules.ts';
import { runLoop } from '../loop/run-loop.ts';
import { toLoopRules } from '../loop/to-loop-rules.ts';
import { refuseUnknown } from '../refuse-unknown.ts';
import { type RunInput, readInput } from '../run-input.ts';
import { type RunResult, toRunResult } from '../run-result.ts';
import { newLoopState } from '../state/loop-state.ts';
import { type RunDecision, readRunDecision, toDecisionAnswer } from '../state/run-decision.ts';
import { cancelledResult } from './cancelled-result.ts';
import type { DurableAgent, DurableEvent, DurableStartOptions } from './durable-agent.ts';
import type { ContextOf, DurableAgentConfig, DurableOptions } from './durable-config.ts';
import { type DurableStatus, toDurableStatus, toPendingApproval } from './durable-status.ts';
import { createReconciler } from './reconcile-call.ts';
import { createRunAttempt, type DurableStart, type RunAttempt } from './run-attempt.ts';
import { createRunListeners } from './run-listeners.ts';
import { createStepHandlers } from './step-handlers.ts';

/**
 * Makes an agent with durable runs. It begins at once to go on with the runs that it finds.
 *
 * @throws AgentError `agent/options-invalid` that names the field and the fix; what the engine throws.
 */
export function createDurableAgent<Context = unknown>(
  config: DurableAgentConfig<Context>,
  options: DurableOptions<Context>,
): DurableAgent {
  // A decision is taken once by the journal, so nothing else has to remember it.
  const settings = readAgentConfig({ ...config, claimDecision: () => true });
  refuseUnknown('the options of a durable agent', options, ['engine', 'reconcile', 'contextOf']);
  const { engine, reconcile } = options;
  if (typeof engine !== 'function')
    throw new AgentError('agent/options-invalid', 'engine is a function, for example createMemoryEngine');
  for (const given of [reconcile, options.contextOf]) {
    if (given !== undefined && typeof given !== 'function')
      throw new AgentError('agent/options-invalid', 'reconcile and contextOf are functions');
  }
  // Only a context that may be anything can be left out.
  const contextOf: ContextOf<Context> = options.contextOf ?? (() => undefined as Context);

  const attempts = new Map<string, RunAttempt<Context>>();
  const listeners = createRunListeners<DurableEvent>();
  const find = (runId: string): RunAttempt<Context> => {
    const attempt = attempts.get(runId);
    if (attempt === undefined) throw new Error('the run is not executed here');
    return attempt;
  };
  /** Approvals that were told of and are not waited for yet, by the key of their wait. */
  const announced = new Map<string, { readonly runId: string; readonly deadline: number | null }>();
  const tell = (runId: string, event: AgentEvent): undefined => {
    if (event.kind === 'approval-request') {
      const { id, expiresAt } = event.approval;
      announced.set(approvalWaitKey(id), { runId, deadline: expiresAt === 'none' ? null : expiresAt });
    }
    if (event.kind !== 'run-end') listeners.tell(runId, event);
  };

  const loop: Loop = {
    version: LOOP_VERSION,
    async run(durable, input) {
      const start = input as unknown as DurableStart;
      const { runId } = durable;
      const attempt = createRunAttempt(settings, start, contextOf, (callId, progress) =>
        tell(runId, { kind: 'tool-progress', callId, progress }),
      );
      attempts.set(runId, attempt);
      try {
        const emit = async (event: JsonValue): Promise<void> => tell(runId, event as unknown as AgentEvent);
        const { rules, state } = start;
        const opened = await openGate(durable);
        if ('failure' in opened)
          return plain(toRunResult({ stopReason: 'permanent_error', state, failure: opened.failure }));
        const { advertised } = opened;
        return plain(
          toRunResult(
            await runLoop({ ...durable, emit }, { ...state, advertised }, [], rules, { waits: true }),
          ),
        );
      } finally {
        attempts.delete(runId);
        // By now each of them is waited for, or its run is over.
        for (const [key, approval] of announced) if (approval.runId === runId) announced.delete(key);
        await attempt.close();
      }
    },
  };
  const host = engine({
    loops: [loop],
    handlers: createStepHandlers(settings, find, (runId) => (event) => tell(runId, event)),
    ...(reconcile === undefined
      ? {}
      : { reconcilers: { tool: createReconciler(reconcile, settings.gate.tools, find) } }),
    clock: settings.clock,
  });
  const leave = new Set<() => void>();
  let closed = false;
  const checkOpen = (): void => {
    if (closed) throw closedError();
  };
  /** What is known of a run, with what a cancelled one has done. */
  const told = async (status: RunStatus): Promise<DurableStatus> => {
    const known = toDurableStatus(status);
    if (status.phase !== 'cancelled' || status.loopVersion !== LOOP_VERSION) return known;
    const record = await host.record(status.runId);
    return record === null ? known : Object.freeze({ ...known, result: await cancelledResult(record) });
  };
  const finished = async (runId: string): Promise<DurableStatus> => {
    checkOpen();
    let stop = (): void => undefined;
    const left = new Promise<never>((_resolve, reject) => {
      stop = () => reject(closedError());
    });
    leave.add(stop);
    try {
      return await told(await Promise.race([host.finished(runId), left]));
    } finally {
      leave.delete(stop);
    }
  };

  return Object.freeze({
    async start(runId: string, input: RunInput, options: DurableStartOptions = {}) {
      checkOpen();
      refuseUnknown('the start of a run', options, ['principal', 'reference']);
      const { principal } = options;
      if (!isName(runId))
        throw new AgentError('agent/input-invalid', `a run id is a text of 1 to ${MAX_NAME} characters`);
      // The gate would refuse it when the run has begun.
      if (principal !== undefined && !isName(principal))
        throw new AgentError('agent/input-invalid', `the principal is a text of 1 to ${MAX_NAME} characters`);
      const state = newLoopState(runId, principal, readInput(input));
      const start: Omit<DurableStart, 'reference'> = { state, rules: toLoopRules(settings) };
      try {
        const reference = toJsonValue(options.reference ?? null);
        return await host.start(runId, plain({ ...start, reference }));
      } catch (cause) {
        if (!JsonError.is(cause)) throw cause;
        const what = `the input, or the reference, cannot be stored as JSON: ${cause.message}`;
        throw new AgentError('agent/input-invalid', what, { cause });
      }
    },
    async decide(runId: string, decision: RunDecision) {
      checkOpen();
      const read = readRunDecision(decision);
      const answer = toDecisionAnswer(read);
      const key = approvalWaitKey(read.approvalId);
      const early = announced.get(key);
      const wait = (await host.findWait(runId, key)) ?? (early?.runId === runId ? early : null);
      // Only what was asked can be answered: a wait that was never opened would keep any answer for later.
      if (wait === null) return 'unknown';
      if ('answered' in wait && wait.answered) return 'already';
      if (wait.deadline !== null && settings.clock.now() >= wait.deadline) return 'expired';
      return host.resolve(runId, key, answer as unknown as JsonValue);
    },
    async pending(page?: { readonly limit?: number; readonly offset?: number }) {
      checkOpen();
      return (await host.pending(page)).map(toPendingApproval);
    },
    async status(runId: string) {
      checkOpen();
      const status = await host.status(runId);
      return status === null ? null : told(status);
    },
    finished,
    async cancel(runId: string, reason: string) {
      checkOpen();
      if (typeof reason !== 'string')
        throw new AgentError('agent/input-invalid', 'the reason of a cancellation is a text');
      await host.cancel(runId, reason.slice(0, MAX_REASON).toWellFormed());
    },
    events: (runId: string) =>
      listeners.listen(runId, async () => ({ kind: 'run-end', status: await finished(runId) })),
    async close() {
      closed = true;
      for (const stop of leave) stop();
      await host.close();
    },
  });
}

function closedError(): AgentError {
  return new AgentError('agent/closed', 'the agent is closed; its runs stay where their journal is');
}

/** What a status keeps of the reason of a cancellation. */
const MAX_REASON = 200;
/** What a gate takes as the id of a session, and as a principal. */
const MAX_NAME = 256;

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.length <= MAX_NAME && value.isWellFormed();
}

/** Fixes what the run offers; once, wherever it goes on later. */
async function openGate(
  run: DurableRun,
): Promise<{ readonly advertised: Advertised } | { readonly failure: FailureData }> {
  const step = await run.call({
    name: 'open',
    op: 'open',
    input: null,
    effect: 'repeatable',
    timeoutMs: 'none',
  });
  if (step.kind === 'ok') return step.value as unknown as { advertised: Advertised };
  return { failure: { code: 'agent/open-failed', message: 'the gate of the run did not open' } };
}

/** As plain JSON: without what is absent, and detached. */
function plain(value: DurableStart | RunResult): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue;
}
