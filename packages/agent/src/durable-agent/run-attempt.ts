import type { JsonValue } from '@toolgate/core';
import { ignoreThrown } from '@toolgate/core';
import type { AgentSettings } from '../agent-config.ts';
import type { FailureData, LoopRules } from '../loop/loop-rules.ts';
import { type OnProgress, type OpenRun, openRun } from '../open-run.ts';
import type { LoopState } from '../state/loop-state.ts';
import { toGateFailure } from '../to-gate-failure.ts';
import type { ContextOf, DurableRunInfo } from './durable-config.ts';

/** What a durable run is started with, as it stands in the journal. */
export interface DurableStart {
  readonly state: LoopState;
  /** Pinned at the start: the limits of a later release are for later runs. */
  readonly rules: LoopRules;
  readonly reference: JsonValue;
}

/** Thrown where a step was broken off because its host stops or lost the run. */
export class BrokenOff extends Error {
  override readonly name = 'BrokenOff';
}

/** What a gate is opened with besides the context; `advertised` of `null` fixes what the run offers. */
export type Opening = Pick<LoopState, 'advertised' | 'declinedCalls'>;

/** The gate did not open; the run has to end. */
export interface NotOpened {
  readonly failure: FailureData;
}

/** One attempt at executing a run in this process: its gate, opened when it is first needed. */
export interface RunAttempt<Context> {
  readonly rules: LoopRules;
  /** Aborted when the host stops, or loses the run. */
  readonly signal: AbortSignal;
  /** The gate as it was opened before, wherever that was. Asked again: the same. */
  open(opening: Opening): Promise<OpenRun | NotOpened>;
  context(): Promise<Context>;
  /** Ends the attempt with the step that runs now, if that is ended by its signal; answers how to stop listening. */
  follow(signal: AbortSignal): () => void;
  close(): Promise<void>;
}

/** Begins an attempt. */
export function createRunAttempt<Context>(
  settings: AgentSettings<Context>,
  { state, rules, reference }: DurableStart,
  contextOf: ContextOf<Context>,
  onProgress: OnProgress,
): RunAttempt<Context> {
  const controller = new AbortController();
  const { signal } = controller;
  const info: DurableRunInfo = {
    runId: state.runId,
    reference,
    ...(state.principal === null ? {} : { principal: state.principal }),
  };
  let context: Promise<Context> | undefined;
  let opened: Promise<OpenRun | NotOpened> | undefined;
  const find = (): Promise<Context> => {
    context ??= Promise.resolve(info).then(contextOf);
    return context;
  };
  const open = async ({ advertised, declinedCalls }: Opening): Promise<OpenRun | NotOpened> => {
    let found: Context;
    try {
      found = await find();
    } catch (thrown) {
      ignoreThrown(thrown);
      return { failure: { code: 'agent/context-failed', message: 'the context of the run was not found' } };
    }
    try {
      const { runId, principal } = state;
      const opened = {
        runId,
        principal,
        advertised,
        ...(declinedCalls === undefined ? {} : { declinedCalls }),
      };
      return await openRun(settings, opened, found, signal, onProgress);
    } catch (error) {
      const failure = toGateFailure(error);
      if (failure === undefined || signal.aborted) throw error;
      return { failure };
    }
  };

  return {
    rules,
    signal,
    open: (opening) => {
      opened ??= open(opening);
      return opened;
    },
    context: find,
    follow(step) {
      const onAbort = (): void => controller.abort(step.reason);
      if (step.aborted) onAbort();
      else step.addEventListener('abort', onAbort, { once: true });
      return () => step.removeEventListener('abort', onAbort);
    },
    async close() {
      controller.abort();
      const run = await opened?.catch(() => undefined);
      if (run !== undefined && 'session' in run) await run.session.close();
    },
  };
}
