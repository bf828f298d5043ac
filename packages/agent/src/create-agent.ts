import { ignoreThrown } from '@toolgate/core';
import { type AgentConfig, type AgentSettings, readAgentConfig } from './agent-config.ts';
import { AgentError } from './agent-error.ts';
import type { AgentEvent } from './agent-event.ts';
import { executeRun, type RunStart } from './execute-run.ts';
import { pendingApprovals } from './loop/work-turn.ts';
import { type RunInput, readInput } from './run-input.ts';
import { type OptionsFor, type RunOptions, readOptions } from './run-options.ts';
import type { RunResult } from './run-result.ts';
import { newLoopState } from './state/loop-state.ts';
import { matchDecisions, type RunDecision } from './state/run-decision.ts';
import type { RunState } from './state/run-state.ts';
import { createRunStream } from './stream/run-stream.ts';
import { takingThrown } from './taking-thrown.ts';

/**
 * A model, a gate and a loop between them. Immutable; any number of runs at the same time. How a run ends is a result
 * with a stop reason; only misuse is thrown.
 */
export interface Agent<Context = unknown> {
  /**
   * Runs to an end.
   *
   * @throws AgentError `agent/input-invalid`, `agent/options-invalid`.
   */
  readonly run: (input: RunInput, ...options: OptionsFor<Context>) => Promise<RunResult>;
  /**
   * The same run as events, the last of which carries the result. The run starts with the iteration, goes no faster
   * than it, and is cancelled when it is left early. Can be iterated once.
   *
   * @throws AgentError `agent/input-invalid`; `agent/stream-used` when iterated again.
   */
  readonly stream: (input: RunInput, ...options: OptionsFor<Context>) => AsyncIterable<AgentEvent>;
  /**
   * Goes on with a suspended run. Decisions may come in any order, a few at a time, and more than once; what is still
   * undecided stays pending in the new result. Availability and authorisation are asked again; what finished is not
   * run again.
   *
   * @throws AgentError `agent/state-invalid`, `agent/state-foreign`, `agent/decision-invalid`; nothing has run then.
   */
  readonly resume: (
    state: RunState,
    decisions: readonly RunDecision[],
    ...options: OptionsFor<Context>
  ) => Promise<RunResult>;
  /** {@link resume} as events. */
  readonly resumeStream: (
    state: RunState,
    decisions: readonly RunDecision[],
    ...options: OptionsFor<Context>
  ) => AsyncIterable<AgentEvent>;
}

const unheard = (): undefined => undefined;

/**
 * Makes an agent.
 *
 * @throws AgentError `agent/options-invalid` that names the field and the fix.
 */
export function createAgent<Context = unknown>(config: AgentConfig<Context>): Agent<Context> {
  const settings = readAgentConfig(config);

  const started = (input: RunInput, { principal }: RunOptions<Context>): RunStart => ({
    state: newLoopState(newRunId(settings), principal, readInput(input)),
    decisions: [],
  });
  const resumed = (
    state: RunState,
    decisions: readonly RunDecision[],
    { principal }: RunOptions<Context>,
  ): RunStart => {
    const opened = settings.seal.open(state);
    if (opened.principal !== (principal ?? null))
      throw new AgentError('agent/state-foreign', 'the run acts for another principal');
    const pending = pendingApprovals(opened.open);
    const now = settings.clock.now();
    return { state: opened, decisions: matchDecisions(decisions, { pending, decided: opened.decided }, now) };
  };
  const run = (start: RunStart, options: RunOptions<Context>): Promise<RunResult> => {
    const signal = options.signal ?? new AbortController().signal;
    return executeRun(settings, start, { ...options, signal }, unheard, undefined);
  };
  const stream = (start: RunStart, options: RunOptions<Context>): AsyncIterable<AgentEvent> =>
    createRunStream(options.signal, (signal, emit, offer) =>
      executeRun(settings, start, { ...options, signal }, emit, (callId, progress) =>
        offer({ kind: 'tool-progress', callId, progress }),
      ),
    );

  return Object.freeze({
    run: (input: RunInput, ...rest: OptionsFor<Context>) =>
      takingThrown(async () => {
        const options = readOptions(rest);
        return run(started(input, options), options);
      }),
    stream: (input: RunInput, ...rest: OptionsFor<Context>) => {
      const options = readOptions(rest);
      return stream(started(input, options), options);
    },
    resume: (state: RunState, decisions: readonly RunDecision[], ...rest: OptionsFor<Context>) =>
      takingThrown(async () => {
        const options = readOptions(rest);
        return run(resumed(state, decisions, options), options);
      }),
    resumeStream: (state: RunState, decisions: readonly RunDecision[], ...rest: OptionsFor<Context>) => {
      const options = readOptions(rest);
      return stream(resumed(state, decisions, options), options);
    },
  });
}

function newRunId({ ids }: Pick<AgentSettings<never>, 'ids'>): string {
  let cause: unknown;
  try {
    const id: unknown = ids();
    if (typeof id === 'string' && id !== '') return id;
    ignoreThrown(id);
  } catch (thrown) {
    cause = thrown;
  }
  throw new AgentError('agent/options-invalid', 'ids gives a text for each run', { cause });
}
