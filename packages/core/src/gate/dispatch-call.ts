import { dispatch } from '../tool/binding.ts';
import type { CallRun } from './call-run.ts';
import { takeResult, takeThrow } from './finish-call.ts';

/** Calls the handler. From here on the call may have had an effect. */
export function dispatchCall<Context>(run: CallRun<Context>): false {
  const { entry, invocation } = run;
  if (entry === undefined || invocation === undefined) return false;
  run.beginHandler(entry);
  try {
    const returned: unknown = dispatch(entry.binding, invocation, run.context);
    // A promise is watched as it is; anything else, also a foreign promise that misbehaves, is adopted first.
    const promise = returned instanceof Promise ? (returned as Promise<unknown>) : Promise.resolve(returned);
    promise.then(
      (value) => contain(run, () => takeResult(run, entry, value)),
      (thrown: unknown) => contain(run, () => takeThrow(run, entry, thrown)),
    );
  } catch (thrown) {
    takeThrow(run, entry, thrown);
  }
  return false;
}

/** A defect in what was injected must not become an unhandled rejection, nor lose the outcome. */
function contain<Context>(run: CallRun<Context>, step: () => void): void {
  try {
    step();
  } catch (cause) {
    run.refuse('handler_error', undefined, { cause });
  }
}
