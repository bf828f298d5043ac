import type { ToolProgress } from '@toolgate/core';
import type { Item } from '@toolgate/model';
import { type AgentConfig, readAgentConfig } from './agent-config.ts';
import { AgentError } from './agent-error.ts';
import type { AgentEvent } from './agent-event.ts';
import { executeRun, type RunStart } from './execute-run.ts';
import { pendingApprovals } from './loop/work-turn.ts';
import type { RunResult } from './run-result.ts';
import type { LoopState } from './state/loop-state.ts';
import { matchDecisions, type RunDecision } from './state/run-decision.ts';
import type { RunState } from './state/run-state.ts';
import { createRunStream } from './stream/run-stream.ts';

/** What a run is started with: a question, or a conversation so far. */
export type RunInput = string | readonly Item[];

/** What goes with one run. */
export interface RunOptions<Context = unknown> {
  /** The application's trusted value, handed to policies and tools. Never serialised, never made from a model's words. */
  readonly context: Context;
  /** Cancels the run; started calls are joined within the gate's grace period. */
  readonly signal?: AbortSignal;
  /** Who the run acts for; approvals are bound to it. */
  readonly principal?: string;
}

type OptionsFor<Context> = unknown extends Context ? [RunOptions<Context>?] : [RunOptions<Context>];

/**
 * A model, a gate and a loop between them. Immutable; any number of runs at the same time. How a run ends is a result
 * with a stop reason; only misuse is thrown.
 */
export interface Agent<Context = unknown> {
  /** Runs to an end. @throws AgentError `agent/input-invalid`. */
  run(input: RunInput, ...options: OptionsFor<Context>): Promise<RunResult>;
  /**
   * The same run as events, the last of which carries the result. The run starts with the iteration, goes no faster
   * than it, and is cancelled when it is left early. Can be iterated once.
   *
   * @throws AgentError `agent/input-invalid`; `agent/stream-used` when iterated again.
   */
  stream(input: RunInput, ...options: OptionsFor<Context>): AsyncIterable<AgentEvent>;
  /**
   * Goes on with a suspended run. Decisions may come in any order, a few at a time, and more than once; what is still
   * undecided stays pending in the new result. Availability and authorisation are asked again; what finished is not
   * run again.
   *
   * @throws AgentError `agent/state-invalid`, `agent/state-foreign`, `agent/decision-invalid`.
   */
  resume(
    state: RunState,
    decisions: readonly RunDecision[],
    ...options: OptionsFor<Context>
  ): Promise<RunResult>;
  /** {@link resume} as events. */
  resumeStream(
    state: RunState,
    decisions: readonly RunDecision[],
    ...options: OptionsFor<Context>
  ): AsyncIterable<AgentEvent>;
}

/** Makes an agent. @throws AgentError `agent/options-invalid` that names the field and the fix. */
export function createAgent<Context = unknown>(config: AgentConfig<Context>): Agent<Context> {
  const settings = readAgentConfig(config);

  const begin = (start: RunStart, [options]: OptionsFor<Context>): AsyncIterable<AgentEvent> => {
    // Only a context that may be anything can be left out.
    const given = options ?? { context: undefined as Context };
    return createRunStream(given.signal, (signal, emit, offer) =>
      executeRun(settings, start, { ...given, signal }, emit, (callId: string, progress: ToolProgress) =>
        offer({ kind: 'tool-progress', callId, progress }),
      ),
    );
  };
  const started = (input: RunInput): RunStart => ({ state: newState(input, settings.ids()), decisions: [] });
  const resumed = (state: RunState, decisions: readonly RunDecision[]): RunStart => {
    const opened = settings.seal.open(state);
    return {
      state: opened,
      decisions: matchDecisions(decisions, pendingApprovals(opened.open), settings.clock.now()),
    };
  };

  return Object.freeze({
    run: async (input: RunInput, ...options: OptionsFor<Context>) => resultOf(begin(started(input), options)),
    stream: (input: RunInput, ...options: OptionsFor<Context>) => begin(started(input), options),
    resume: async (state: RunState, decisions: readonly RunDecision[], ...options: OptionsFor<Context>) =>
      resultOf(begin(resumed(state, decisions), options)),
    resumeStream: (state: RunState, decisions: readonly RunDecision[], ...options: OptionsFor<Context>) =>
      begin(resumed(state, decisions), options),
  });
}

async function resultOf(events: AsyncIterable<AgentEvent>): Promise<RunResult> {
  let result: RunResult | undefined;
  for await (const event of events) if (event.kind === 'run-end') result = event.result;
  if (result === undefined) throw new AgentError('agent/stream-used', 'the run ended without a result');
  return result;
}

function newState(input: RunInput, runId: string): LoopState {
  return {
    runId,
    items: readInput(input),
    turns: 0,
    workedMs: 0,
    usage: { inputTotal: null, outputTotal: null },
    open: [],
    outcomes: [],
    advertised: {},
    calls: {},
    repeats: {},
    fruitlessTurns: 0,
  };
}

function readInput(input: RunInput): readonly Item[] {
  if (typeof input === 'string') {
    if (input.trim() === '') throw new AgentError('agent/input-invalid', 'the input is blank');
    return [{ kind: 'message', role: 'user', parts: [{ kind: 'text', text: input }] }];
  }
  if (!Array.isArray(input) || input.length === 0) {
    throw new AgentError('agent/input-invalid', 'the input is a text or a non-empty list of items');
  }
  return [...input];
}
