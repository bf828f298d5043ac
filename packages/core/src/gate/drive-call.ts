import { approveCall } from './approve-call.ts';
import { authorizeCall } from './authorize-call.ts';
import type { CallRun } from './call-run.ts';
import type { CallStep } from './call-step.ts';
import { checkAvailability } from './check-availability.ts';
import { dispatchCall } from './dispatch-call.ts';
import { checkFinished, findTool } from './find-tool.ts';
import { prepareCall } from './prepare-call.ts';
import { checkAgain, takeTurn } from './take-turn.ts';

/** The order of one call. Each step can end it; none is skipped, and none is taken twice. */
const STEPS: readonly CallStep[] = [
  checkFinished,
  findTool,
  checkAvailability,
  prepareCall,
  authorizeCall,
  approveCall,
  takeTurn,
  checkAgain,
  dispatchCall,
];

/** Takes a call through its steps, without waiting where no step waits. */
export function driveCall<Context>(run: CallRun<Context>): void {
  // A session that was cancelled starts nothing.
  if (run.session.over) run.refuse('not_started');
  else takeSteps(run, 0);
}

function takeSteps<Context>(run: CallRun<Context>, from: number): void {
  try {
    let index = from;
    for (let step = STEPS[index]; step !== undefined; step = STEPS[index]) {
      index += 1;
      const verdict = step(run);
      if (verdict === true) continue;
      if (verdict !== false) goOnLater(run, verdict, index);
      return;
    }
  } catch (thrown) {
    endDefect(run, thrown);
  }
}

function goOnLater<Context>(run: CallRun<Context>, verdict: Promise<boolean>, index: number): void {
  verdict.then(
    (go) => {
      if (go && run.waiting) takeSteps(run, index);
    },
    (thrown: unknown) => endDefect(run, thrown),
  );
}

/** Nothing above throws, unless what was injected does: a clock, an id maker. The call still has one outcome. */
function endDefect<Context>(run: CallRun<Context>, cause: unknown): void {
  run.refuse(run.waiting ? 'not_started' : 'handler_error', undefined, { cause });
}
