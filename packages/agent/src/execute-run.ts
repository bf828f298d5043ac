import type { SessionReport } from '@toolgate/core';
import type { AgentSettings } from './agent-config.ts';
import { askModel, type EmitEvent } from './loop/ask-model.ts';
import { createDirectRun } from './loop/direct-run.ts';
import { executeCall } from './loop/execute-call.ts';
import type { LoopEnd } from './loop/loop-end.ts';
import {
  type DecisionData,
  LOOP_VERSION,
  type ModelStepInput,
  type ToolStepInput,
} from './loop/loop-rules.ts';
import { refusePending, runLoop } from './loop/run-loop.ts';
import { toLoopRules } from './loop/to-loop-rules.ts';
import { type OnProgress, type OpenRun, openRun } from './open-run.ts';
import type { RunOptions } from './run-options.ts';
import { type RunResult, toRunResult } from './run-result.ts';
import type { LoopState } from './state/loop-state.ts';
import { toGateFailure } from './to-gate-failure.ts';

/** Where a run begins, or goes on. */
export interface RunStart {
  readonly state: LoopState;
  readonly decisions: readonly DecisionData[];
}

/**
 * Executes a run from its start, or from where it was suspended, to its end. Rejects only for misuse.
 *
 * @param onProgress - Absent when nobody listens; then handlers need not report.
 */
export async function executeRun<Context>(
  settings: AgentSettings<Context>,
  { state, decisions }: RunStart,
  { context, signal, callSignal }: RunOptions<Context> & { readonly signal: AbortSignal },
  emit: EmitEvent,
  onProgress: OnProgress | undefined,
): Promise<RunResult> {
  let run: OpenRun;
  try {
    run = await openRun(settings, state, context, signal, onProgress);
  } catch (error) {
    return endClosed(state, error, signal);
  }
  // What went wrong, for diagnosis; the loop itself only sees data.
  let cause: unknown;
  let end: LoopEnd;
  let report: SessionReport;
  try {
    const steps = createDirectRun({
      runId: state.runId,
      loopVersion: LOOP_VERSION,
      signal,
      emit: async (event) => emit(event as never),
      handlers: {
        model: async (input) => {
          const { definitions } = run.offered;
          const done = await askModel(
            input as unknown as ModelStepInput,
            definitions,
            settings,
            signal,
            emit,
          );
          cause ??= done.cause;
          return done.value as never;
        },
        tool: async (input) => {
          const done = await executeCall(input as unknown as ToolStepInput, run, settings, emit, callSignal);
          cause ??= done.cause;
          return (signal.aborted ? { ...done.value, cancelled: true } : done.value) as never;
        },
      },
    });
    const opened = { ...state, advertised: run.offered.advertised };
    end = await runLoop(steps, opened, decisions, toLoopRules(settings), { waits: false });
  } finally {
    report = await run.session.close();
  }
  const { stragglers } = report;
  if (end.stopReason !== 'suspended') return toRunResult(end, { stragglers, cause });
  try {
    return toRunResult(end, { stragglers, state: settings.seal.seal(end.state) });
  } catch (error) {
    return endUnsealed(end.state, error, stragglers);
  }
}

/** The end of a run that should wait and that nobody could go on with. What its other calls did is not lost with it. */
function endUnsealed(state: LoopState, cause: unknown, stragglers: SessionReport['stragglers']): RunResult {
  const failure = { code: 'agent/state-failed', message: 'the state of the run could not be sealed' };
  const ended = { ...state, open: state.open.map(refusePending) };
  return toRunResult({ stopReason: 'permanent_error', state: ended, failure }, { stragglers, cause });
}

/** The end of a run whose gate did not open: nothing was asked and nothing ran. */
function endClosed(state: LoopState, error: unknown, signal: AbortSignal): RunResult {
  const failure = toGateFailure(error);
  if (failure !== undefined) {
    return toRunResult({ stopReason: 'permanent_error', state, failure }, { cause: error });
  }
  if (signal.aborted) return toRunResult({ stopReason: 'cancelled', state });
  throw error;
}
