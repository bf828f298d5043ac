import type { RunPhase, StepEffect } from './port.ts';

/** A run as stored. Texts are JSON, as the journal's codec wrote them. */
export interface StoredRun {
  readonly runId: string;
  readonly loopVersion: number;
  readonly input: string;
  readonly phase: RunPhase;
  /** The result or the error, once the phase is final. */
  readonly ending: string | null;
}

/** One position of a journal. */
export interface StoredEntry {
  readonly position: number;
  readonly name: string;
  readonly op: string;
  readonly effect: StepEffect;
  readonly attempts: number;
  /** `null` while the step is started and not finished. */
  readonly outcome: string | null;
}

/** A step that is about to start. */
export interface NewEntry {
  readonly position: number;
  readonly name: string;
  readonly op: string;
  readonly effect: StepEffect;
}

/** A wait as stored. */
export interface StoredWait {
  readonly runId: string;
  readonly key: string;
  readonly deadline: number | null;
  readonly note: string;
  /** `null` while nobody answered and the deadline has not been noticed. */
  readonly outcome: string | null;
}

/**
 * Where journals live. Every method is one atomic step and durable when it returns. An *epoch* is the number of times
 * a run was taken by a worker; a worker whose epoch is over has lost the run and may write nothing but the outcome of
 * a step that nobody else has settled.
 */
export interface JournalStore {
  /** `false` when the id exists. */
  createRun(run: {
    readonly runId: string;
    readonly loopVersion: number;
    readonly input: string;
    readonly now: number;
  }): boolean;
  readRun(runId: string): StoredRun | undefined;
  /**
   * Runs that can go on and that nobody holds at `now`, oldest first: running ones, and waiting ones whose wait was
   * answered or whose time has come.
   */
  claimableRuns(now: number, loopVersions: readonly number[], limit: number): readonly string[];
  /** Takes a run unless another worker holds it; the new epoch, or `undefined`. */
  claim(runId: string, owner: string, now: number, until: number): number | undefined;
  /** Prolongs the hold; `false` when the run is lost. */
  renew(runId: string, epoch: number, until: number): boolean;
  /** Lets a run go; nothing happens when it is lost already. */
  release(runId: string, epoch: number): void;
  /** Lets a run go until `wakeAt` (`null`: until it is answered), unless an answer to `key` is there already. */
  park(runId: string, epoch: number, key: string, wakeAt: number | null): void;
  /** Ends a run; the first ending wins. `stuck` is an ending that {@link reopen} takes back. */
  end(
    runId: string,
    epoch: number | 'any',
    phase: 'done' | 'failed' | 'cancelled' | 'stuck',
    ending: string,
  ): boolean;
  /** Makes a stuck run claimable again, its journal unchanged. */
  reopen(runId: string): boolean;

  readEntries(runId: string): readonly StoredEntry[];
  /** Records that steps start, all or none; `false` when the run is lost. */
  begin(runId: string, epoch: number, entries: readonly NewEntry[]): boolean;
  /** Records that a `repeatable` step starts again. `false` when the run is lost or the step is settled. */
  beginAgain(runId: string, epoch: number, position: number): boolean;
  /** Settles a started step; `false` when somebody settled it before: then the outcome is kept as evidence. */
  settle(runId: string, position: number, outcome: string): boolean;

  /** Opens a wait; an answer that came early is there at once. */
  openWait(wait: Omit<StoredWait, 'outcome'>, epoch: number): StoredWait | undefined;
  readWait(runId: string, key: string): StoredWait | undefined;
  /** Settles a wait, opened or not, and wakes its run; the first outcome wins. `unknown`: no such run, or it is over. */
  answerWait(runId: string, key: string, outcome: string): 'accepted' | 'already' | 'unknown';
  openWaits(limit: number, offset: number): readonly StoredWait[];

  close(): void;
}
