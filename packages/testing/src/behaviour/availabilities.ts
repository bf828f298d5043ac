import { pause, type Stage } from './stage.ts';

const DSN = 'postgres://app:hunter2@db.internal:5432/prod';

const times =
  (...answers: readonly unknown[]) =>
  (): (() => unknown) => {
    let asked = 0;
    return () => {
      const answer = answers[Math.min(asked, answers.length - 1)];
      asked += 1;
      if (answer instanceof Error) throw answer;
      return answer;
    };
  };

/** Policies that say whether a tool is offered, by id; only `true` offers it. */
export const availabilities: ReadonlyMap<string, (stage: Stage) => () => unknown> = new Map<
  string,
  (stage: Stage) => () => unknown
>([
  ['yes', times(true)],
  ['yes-later', (stage) => () => pause(stage, 5).then(() => true)],
  ['no', times(false)],
  ['no-later', (stage) => () => pause(stage, 5).then(() => false)],
  ['throw', times(new Error(`flag store ${DSN} is down`))],
  ['reject', () => () => Promise.reject(new Error(`flag store ${DSN} is down`))],
  ['undefined', times(undefined)],
  ['one', times(1)],
  ['yes-text', times('yes')],
  ['never', (stage) => () => stage.released.then(() => true)],
  // Offered when the run begins, withdrawn before the call.
  ['revoked', times(true, false)],
  // The policy breaks after the run began.
  ['breaks', times(true, new Error(`flag store ${DSN} is down`))],
  // Not offered when the run begins; granted afterwards, which is for a later run.
  ['granted-late', times(false, true)],
]);
