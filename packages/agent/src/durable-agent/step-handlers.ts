import { type JsonValue, writeJson } from '@toolgate/core';
import type { AgentSettings } from '../agent-config.ts';
import type { HandlerContext, Handlers } from '../durable/port.ts';
import { askModel, type EmitEvent, NOTHING_SAID } from '../loop/ask-model.ts';
import { executeCall } from '../loop/execute-call.ts';
import type {
  FailureData,
  ModelStepInput,
  ModelStepValue,
  ToolStepInput,
  ToolStepValue,
} from '../loop/loop-rules.ts';
import { fixedOutcome } from '../loop/unsettled-outcome.ts';
import { BrokenOff, type RunAttempt } from './run-attempt.ts';

/** Where the attempts of this process are. */
export type FindAttempt<Context> = (runId: string) => RunAttempt<Context>;

/** The operations of a run, for an engine. A step that its host breaks off throws, so that it is done again. */
export function createStepHandlers<Context>(
  settings: AgentSettings<Context>,
  find: FindAttempt<Context>,
  emitOf: (runId: string) => EmitEvent,
): Handlers {
  const within = async <Value>(
    { runId, signal }: HandlerContext,
    work: (attempt: RunAttempt<Context>) => Promise<Value>,
  ): Promise<JsonValue> => {
    const attempt = find(runId);
    const unfollow = attempt.follow(signal);
    try {
      return (await work(attempt)) as JsonValue;
    } finally {
      unfollow();
    }
  };

  return {
    open: (_input, step) =>
      within(step, async (attempt) => {
        const run = await attempt.open({ advertised: null });
        return 'failure' in run ? run : { advertised: run.offered.advertised };
      }),

    model: (input, step) =>
      within(step, async (attempt) => {
        const asked = input as unknown as ModelStepInput;
        const run = await attempt.open(asked);
        if ('failure' in run) return notAsked(run.failure);
        const { definitions } = run.offered;
        const { value } = await askModel(asked, definitions, settings, attempt.signal, emitOf(step.runId));
        if (value.failure?.code === 'model/cancelled') throw new BrokenOff('the model turn was broken off');
        return isWritable(value) ? value : unreadable(value);
      }),

    tool: (input, step) =>
      within(step, async (attempt) => {
        const asked = input as unknown as ToolStepInput;
        const run = await attempt.open(asked);
        if ('failure' in run) return notStarted(asked, run.failure);
        const { value } = await executeCall(asked, run, settings, emitOf(step.runId));
        const { name } = asked.call;
        if (attempt.signal.aborted && isBrokenOff(value) && attempt.rules.repeatable.includes(name))
          throw new BrokenOff('the call was broken off');
        return value;
      }),
  };
}

/** What only a provider understands may hold what no journal can. */
function isWritable(value: ModelStepValue): boolean {
  try {
    writeJson(value, { maxBytes: 'none', maxDepth: 'none' });
    return true;
  } catch {
    return false;
  }
}

function unreadable({ elapsedMs }: ModelStepValue): ModelStepValue {
  const failure = { code: 'model/response-invalid', message: 'the answer has no JSON form' };
  return { response: NOTHING_SAID, failure, asked: true, warnings: [], elapsedMs };
}

function isBrokenOff({ outcome }: ToolStepValue): boolean {
  return outcome.reason === 'cancelled_after_dispatch' || outcome.reason === 'not_started';
}

function notAsked(failure: FailureData): ModelStepValue {
  return { response: NOTHING_SAID, failure, asked: false, warnings: [], elapsedMs: 0 };
}

function notStarted({ call }: ToolStepInput, failure: FailureData): ToolStepValue {
  const ended = { ...failure, callId: call.id };
  return { outcome: fixedOutcome(call, 'not_started'), ended, first: true, elapsedMs: 0 };
}
