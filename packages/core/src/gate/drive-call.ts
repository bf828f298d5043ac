import { approveCall } from './approve-call.ts';
import { authorizeCall } from './authorize-call.ts';
import type { CallRun } from './call-run.ts';
import type { CallStep } from './call-step.ts';
import { checkAvailability } from './check-availability.ts';
import { dispatchCall } from './dispatch-call.ts';
import { checkFinished, findTool } from './find-tool.ts';
import { prepareCall } from './prepare-call.ts';
import { checkAgain, takeTurn } from './take-turn.ts';

/** What every call goes through, in this order, once its tool is known. Each step can end it. */
const STEPS: readonly CallStep[] = [
  checkAvailability,
  prepareCall,
  authorizeCall,
  approveCall,
  takeTurn,
  checkAgain,
  dispatchCall,
];

/** The same for a tool that has neither an availability policy nor a guard: nobody to ask, and nobody to ask again. */
const UNGUARDED: readonly CallStep[] = STEPS.filter(
  (step) => step !== checkAvailability && step !== authorizeCall && step !== checkAgain,
);

/** Takes a call through its steps, without waiting where no step waits. */
export function driveCall<Context>(run: CallRun<Context>): void {
  try {
    // A session that was cancelled starts nothing.
    if (run.session.over) run.refuse('not_started');
    else if (checkFinished(run) && findTool(run)) takeSteps(run, run.entry.guarded ? STEPS : UNGUARDED, 0);
  } catch (thrown) {
    endDefect(run, thrown);
  }
}

function takeSteps<Context>(run: CallRun<Context>, steps: readonly CallStep[], from: number): void {
  let index = from;
  for (let step = steps[index]; step !== undefined; step = steps[index]) {
    index += 1;
    const verdict = step(run);
    if (verdict === true) continue;
    if (verdict !== false) goOnLater(run, verdict, steps, index);
    return;
  }
}

function goOnLater<Context>(
  run: CallRun<Context>,
  verdict: Promise<boolean>,
  steps: readonly CallStep[],
  index: number,
): void {
  verdict
    .then((go) => {
      if (go && run.waiting) takeSteps(run, steps, index);
    })
    .catch((thrown: unknown) => endDefect(run, thrown));
}

/** Nothing above throws, unless what was injected does: a clock, an id maker. The call still has one outcome. */
function endDefect<Context>(run: CallRun<Context>, cause: unknown): void {
  run.refuse(run.waiting ? 'not_started' : 'handler_error', undefined, { cause });
}
