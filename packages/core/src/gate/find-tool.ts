import type { CallRun } from './call-run.ts';

/** Refuses a call that its turn was cut off from, before anything is said about its name. */
export function checkFinished<Context>(run: CallRun<Context>): boolean {
  const { complete } = run.call;
  return complete === undefined || complete === true || run.refuse('call_incomplete');
}

/**
 * Finds the tool of a call. An unknown name, a name that the scope hides, and one that was not offered to this caller
 * get one answer by one way; which of them it was is for audit only.
 */
export function findTool<Context>(run: CallRun<Context>): boolean {
  const { session, call } = run;
  const entry = session.core.entries.get(call.name);
  const detail = entry === undefined ? 'unknown_name' : session.hiddenBy(entry.name);
  if (detail !== undefined) {
    const step = detail === 'availability_denied' ? 'availability' : 'scope';
    run.emit({ kind: 'decision', step, verdict: 'deny', detail });
    return run.refuse('tool_unavailable', undefined, { detail });
  }
  if (entry !== undefined) run.find(entry);
  return true;
}
