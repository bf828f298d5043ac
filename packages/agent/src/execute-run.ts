import { GateError, type GateSession, type ToolProgress } from '@toolgate/core';
import type { AgentSettings } from './agent-config.ts';
import type { RunOptions } from './create-agent.ts';
import { askModel, type EmitEvent } from './loop/ask-model.ts';
import { createDirectRun } from './loop/direct-run.ts';
import { executeCall } from './loop/execute-call.ts';
import {
  type DecisionData,
  type FailureData,
  LOOP_VERSION,
  type ModelStepInput,
  type ToolStepInput,
} from './loop/loop-rules.ts';
import { type LoopEnd, runLoop } from './loop/run-loop.ts';
import { toLoopRules } from './loop/to-loop-rules.ts';
import { pendingApprovals } from './loop/work-turn.ts';
import type { RunFailure, RunResult } from './run-result.ts';
import type { LoopState } from './state/loop-state.ts';
import { offerSame } from './state/offer-same.ts';

/** Where a run begins, or goes on. */
export interface RunStart {
  readonly state: LoopState;
  readonly decisions: readonly DecisionData[];
}

/** Executes a run from its start, or from where it was suspended, to its end. Rejects only for a misused gate. */
export async function executeRun<Context>(
  settings: AgentSettings<Context>,
  start: RunStart,
  options: RunOptions<Context> & { readonly signal: AbortSignal },
  emit: EmitEvent,
  onProgress: (callId: string, progress: ToolProgress) => void,
): Promise<RunResult> {
  const { gate } = settings;
  const { context, signal, principal } = options;
  let session: GateSession;
  try {
    session = await gate.open({
      context,
      signal,
      sessionId: start.state.runId,
      observe: (event) => {
        if (event.kind === 'call-progress') onProgress(event.callId, event);
      },
      ...(principal === undefined ? {} : { principal }),
    });
  } catch (error) {
    return endWithoutSession(start.state, error, signal);
  }

  // What went wrong, for diagnosis; the loop itself only sees data.
  let cause: unknown;
  try {
    const offered = offerSame(session.definitions, gate.tools, start.state.advertised);
    const run = createDirectRun({
      runId: start.state.runId,
      loopVersion: LOOP_VERSION,
      signal,
      clock: settings.clock,
      ids: settings.ids,
      handlers: {
        model: async (input) => {
          const done = await askModel(
            input as unknown as ModelStepInput,
            offered.definitions,
            settings,
            signal,
            emit,
          );
          cause ??= done.cause;
          return done.value as never;
        },
        tool: async (input) => {
          const done = await executeCall(input as unknown as ToolStepInput, session, settings, emit);
          cause ??= done.cause;
          return done.value as never;
        },
      },
    });
    const state = { ...start.state, advertised: offered.digests };
    const end = await runLoop(
      run,
      state,
      start.decisions,
      toLoopRules(settings, { waitForDecisions: false }),
    );
    return toResult(end, settings, cause);
  } finally {
    await session.close();
  }
}

function endWithoutSession(state: LoopState, error: unknown, signal: AbortSignal): RunResult {
  if (GateError.is(error) && error.code === 'gate/availability') {
    const failure = { code: error.code, message: error.message };
    return result({ stopReason: 'permanent_error', state, text: '', failure }, error);
  }
  if (signal.aborted) return result({ stopReason: 'cancelled', state, text: '' });
  throw error;
}

function toResult<Context>(end: LoopEnd, settings: AgentSettings<Context>, cause: unknown): RunResult {
  return end.stopReason === 'suspended'
    ? Object.freeze({ ...result(end), state: settings.seal.seal(end.state) })
    : result(end, cause);
}

function result({ stopReason, state, text, failure }: LoopEnd, cause?: unknown): RunResult {
  return Object.freeze({
    runId: state.runId,
    stopReason,
    text,
    items: state.items,
    outcomes: state.outcomes,
    turns: state.turns,
    usage: state.usage,
    pending: pendingApprovals(state.open),
    ...(failure === undefined ? {} : { error: withCause(failure, cause) }),
  });
}

function withCause(failure: FailureData, cause: unknown): RunFailure {
  return Object.freeze(Object.defineProperty({ ...failure }, 'cause', { value: cause, enumerable: false }));
}
