import type { CallRun } from './call-run.ts';

/**
 * One step of a call. `true`: go on with the next one. `false`: the call has its outcome. A promise says the same later;
 * when the call got its outcome in the meantime, its answer means nothing any more.
 */
export type CallStep = <Context>(run: CallRun<Context>) => boolean | Promise<boolean>;
