import type { JsonValue } from '@toolgate/core';
import type { DurableRun, RunRecord, Step, StepOutcome, WaitOutcome } from '../durable/port.ts';
import { NOTHING_SAID } from '../loop/ask-model.ts';
import type { Advertised, ModelStepValue, ToolStepInput, ToolStepValue } from '../loop/loop-rules.ts';
import { runLoop } from '../loop/run-loop.ts';
import { fixedOutcome } from '../loop/unsettled-outcome.ts';
import { type RunResult, toRunResult } from '../run-result.ts';
import type { DurableStart } from './run-attempt.ts';

/**
 * How far a cancelled run came: what was said, and the one outcome of each call. Takes the loop over what is written
 * down and starts nothing. A call that was begun and of which nothing is written yet is `interrupted`; asked later, the
 * record may say more.
 */
export async function cancelledResult(record: RunRecord): Promise<RunResult> {
  const { rules, state } = record.input as unknown as DurableStart;
  const run = replay(record);
  const opened = await run.call({
    name: 'open',
    op: 'open',
    input: null,
    effect: 'repeatable',
    timeoutMs: 'none',
  });
  const advertised = (opened.kind === 'ok' ? opened.value : {}) as { readonly advertised?: Advertised };
  const from = { ...state, advertised: advertised.advertised ?? {} };
  const end = await runLoop(run, from, [], rules, { waits: true });
  // Whatever the loop would have made of it: the run was cancelled.
  return toRunResult({ stopReason: 'cancelled', state: end.state });
}

/** A run that only remembers. What was never begun is said to be cancelled, and the loop ends there. */
function replay({ loopVersion, runId, steps }: RunRecord): DurableRun {
  const known = new Map(steps.map((step) => [step.name, step]));
  const call = async (step: Step): Promise<StepOutcome> => {
    const begun = known.get(step.name);
    if (begun?.outcome !== undefined) return begun.outcome as unknown as StepOutcome;
    if (begun !== undefined && step.op === 'tool') return { kind: 'in-doubt' };
    return { kind: 'ok', value: notBegun(step) as unknown as JsonValue };
  };
  const refuse = (): Promise<never> => Promise.reject(new Error('a record neither sleeps nor reads a clock'));
  return {
    runId,
    loopVersion,
    call,
    all: (wanted) => Promise.all(wanted.map(call)),
    // Where nobody answered, the step that would carry the answer out was never begun.
    wait: async (key) => {
      const answered = known.get(`wait:${key}`)?.outcome;
      return answered === undefined ? { kind: 'expired' } : (answered as unknown as WaitOutcome);
    },
    sleep: refuse,
    now: refuse,
    uuid: refuse,
    emit: async () => undefined,
  };
}

function notBegun({ input, op }: Step): ModelStepValue | ToolStepValue {
  if (op === 'tool') {
    const { call } = input as unknown as ToolStepInput;
    return { outcome: fixedOutcome(call, 'not_started'), cancelled: true, elapsedMs: 0 };
  }
  const failure = { code: 'model/cancelled', message: 'the run was cancelled' };
  return { response: NOTHING_SAID, failure, asked: false, warnings: [], elapsedMs: 0 };
}
