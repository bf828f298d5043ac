import { findThrown } from '../tool/find-thrown.ts';
import type { CallRun } from './call-run.ts';
import { GateError } from './gate-error.ts';

/** Asks the guards of a tool. A tool without guards needs no authorisation. */
export function authorizeCall<Context>(run: CallRun<Context>): boolean | Promise<boolean> {
  const { authorize } = run.entry;
  if (authorize === undefined) return true;
  run.startTimer(run.session.core.patience, () => fail(run, undefined));
  return authorize(run.invocation, run.context).then(
    (authorized) => run.waiting && take(run, authorized),
    (thrown: unknown) => run.waiting && fail(run, thrown),
  );
}

function take<Context>(run: CallRun<Context>, authorized: boolean): boolean {
  run.stopTimer();
  run.emit({ kind: 'decision', step: 'authorization', verdict: authorized ? 'allow' : 'deny' });
  return authorized || run.refuse('not_authorized');
}

function fail<Context>(run: CallRun<Context>, thrown: unknown): false {
  const detail = thrown === undefined ? { detail: 'no-answer' as const } : {};
  run.emit({ kind: 'decision', step: 'authorization', verdict: 'error', ...detail });
  const found = findThrown(thrown);
  const message =
    thrown === undefined
      ? 'An authorizer did not answer in time; the run ends.'
      : 'An authorizer could not decide; the run ends.';
  const cause = found.kind === 'authorization' ? found.diagnosis : thrown;
  return run.fail(
    new GateError('gate/authorization', message, { cause, callId: run.call.id }),
    'not_started',
  );
}
