import { types } from 'node:util';

/** One execution of a corpus tool. */
export interface Execution {
  readonly tool: string;
  /** Canonical copy of what the handler got, made before it ran; `undefined` when it is no JSON value. */
  readonly received: string | undefined;
}

/** What the runner sees of a running case by itself. */
export interface CaseRecorder {
  /** Counts one execution from its start to its end. */
  readonly record: (tool: string, received: string | undefined, run: () => unknown) => unknown;
  readonly executions: readonly Execution[];
  /** Handlers that run now. */
  readonly running: number;
  /** Most handlers that ran at the same time. */
  readonly overlap: number;
}

/** Makes a recorder; `onStart` is called at the start of each execution. */
export function createCaseRecorder(onStart: () => void): CaseRecorder {
  const executions: Execution[] = [];
  let running = 0;
  let overlap = 0;
  const end = (): void => {
    running -= 1;
  };
  return {
    record: (tool, received, run) => {
      executions.push({ tool, received });
      running += 1;
      overlap = Math.max(overlap, running);
      onStart();
      let result: unknown;
      try {
        result = run();
      } catch (thrown) {
        end();
        throw thrown;
      }
      // Only a real promise is watched, and asked for without touching it: a hostile proxy would notice.
      if (types.isPromise(result)) result.then(end, end);
      else end();
      return result;
    },
    executions,
    get running() {
      return running;
    },
    get overlap() {
      return overlap;
    },
  };
}
