import { PolicyError } from '../policy/policy-error.ts';
import type { CallRun } from './call-run.ts';
import { GateError } from './gate-error.ts';
import { isThenable } from './is-thenable.ts';

/** Asks whether the tool is available to this caller now. A tool without a policy is. */
export function checkAvailability<Context>(run: CallRun<Context>): boolean | Promise<boolean> {
  const { available } = run.entry;
  if (available === undefined) return true;
  try {
    const answer = available(run.session.context);
    if (!isThenable(answer)) return take(run, answer);
    run.startTimer(run.session.core.patience, () => fail(run, undefined));
    return answer.then(
      (later) => run.waiting && take(run, later),
      (thrown: unknown) => run.waiting && fail(run, thrown),
    );
  } catch (thrown) {
    return fail(run, thrown);
  }
}

function take<Context>(run: CallRun<Context>, available: boolean): boolean {
  run.stopTimer();
  if (available) return true;
  const detail = 'availability_denied';
  run.emit({ kind: 'decision', step: 'availability', verdict: 'deny', detail });
  return run.refuse('tool_unavailable', undefined, { detail });
}

function fail<Context>(run: CallRun<Context>, thrown: unknown): false {
  const detail = thrown === undefined ? { detail: 'no-answer' as const } : {};
  run.emit({ kind: 'decision', step: 'availability', verdict: 'error', ...detail });
  return run.fail(toAvailabilityError(thrown, run.call.id), 'not_started');
}

/** The error that ends a run whose availability policy could not decide; `undefined` when it did not answer in time. */
export function toAvailabilityError(thrown: unknown, callId?: string): GateError {
  const message =
    thrown === undefined
      ? 'An availability policy did not answer in time; the run ends.'
      : 'An availability policy could not decide; the run ends.';
  // A policy's own throw is the cause; an answer that was none is described by our own error.
  const cause = PolicyError.is(thrown) && thrown.cause !== undefined ? thrown.cause : thrown;
  return new GateError('gate/availability', message, { cause, ...(callId === undefined ? {} : { callId }) });
}
