import { dispatch, finishDispatch } from '../tool/binding.ts';
import type { ToolOutput } from '../tool/tool-output.ts';
import type { CallRun } from './call-run.ts';
import { takeResult, takeThrow } from './finish-call.ts';
import type { GateEntry } from './gate-entry.ts';
import { isThenable } from './is-thenable.ts';

/** Calls the handler. From here on the call may have had an effect. */
export function dispatchCall<Context>(run: CallRun<Context>): false {
  const { entry, invocation } = run;
  run.beginHandler();
  try {
    const returned = dispatch(entry.binding, invocation, run.context);
    if (isThenable(returned)) watch(run, entry, returned);
    else takeResult(run, entry, finishDispatch(entry.binding, returned));
  } catch (thrown) {
    takeThrow(run, entry, thrown);
  }
  return false;
}

/** Awaits a handler for as long as its deadline lets it. What it does after that is only noted. */
function watch<Context>(
  run: CallRun<Context>,
  entry: GateEntry<Context>,
  returned: PromiseLike<unknown>,
): void {
  run.awaitHandler();
  // A promise of the platform is watched as it is; any other, which may misbehave, is adopted, and so is one with a
  // `then` of its own, which may hand out promises.
  const promise = Object.hasOwn(returned, 'then')
    ? new Promise<unknown>((resolve) => resolve(returned))
    : Promise.resolve(returned);
  promise.then(
    (value) => takeLater(run, entry, value),
    (thrown: unknown) => takeThrow(run, entry, thrown),
  );
}

function takeLater<Context>(run: CallRun<Context>, entry: GateEntry<Context>, value: unknown): void {
  let output: ToolOutput;
  try {
    output = finishDispatch(entry.binding, value);
  } catch (thrown) {
    takeThrow(run, entry, thrown);
    return;
  }
  takeResult(run, entry, output);
}
