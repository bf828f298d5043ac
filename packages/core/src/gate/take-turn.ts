import { authorizeCall } from './authorize-call.ts';
import type { CallRun } from './call-run.ts';
import { checkAvailability } from './check-availability.ts';

/** Waits until the order of calls, its resource key and a slot let the call run. */
export function takeTurn<Context>(run: CallRun<Context>): boolean | Promise<boolean> {
  const { ticket } = run;
  if (run.session.scheduler.request(ticket)) return true;
  run.waited = true;
  return new Promise((resolve) => {
    ticket.resume = () => resolve(true);
  });
}

/** After a wait, what the policies said may no longer hold: asks again, last before the handler. */
export function checkAgain<Context>(run: CallRun<Context>): boolean | Promise<boolean> {
  if (!run.waited) return true;
  const available = checkAvailability(run);
  if (typeof available === 'boolean') return available && authorizeCall(run);
  return available.then((answer) => answer && authorizeCall(run));
}
