import { Interruption } from './interruption.ts';
import type { JournalStore } from './journal-store.ts';

/** What an attempt at a run does with a journal. */
export type RunStore = Pick<
  JournalStore,
  'readEntries' | 'begin' | 'beginAgain' | 'settle' | 'openWait' | 'readWait' | 'answerWait'
>;

/**
 * A store whose failures (a full disk, a lock that another process keeps) break off the attempt and not the run: what a
 * driver throws becomes an {@link Interruption}, and the run goes on where the journal ends.
 */
export function guardStore(store: RunStore): RunStore {
  const guarded =
    <Parameters extends readonly unknown[], Result>(work: (...parameters: Parameters) => Result) =>
    (...parameters: Parameters): Result => {
      try {
        return work(...parameters);
      } catch (cause) {
        throw new Interruption('broken', 'the journal cannot be used', undefined, { cause });
      }
    };
  return {
    readEntries: guarded((runId: string) => store.readEntries(runId)),
    begin: guarded((...given: Parameters<RunStore['begin']>) => store.begin(...given)),
    beginAgain: guarded((...given: Parameters<RunStore['beginAgain']>) => store.beginAgain(...given)),
    settle: guarded((...given: Parameters<RunStore['settle']>) => store.settle(...given)),
    openWait: guarded((...given: Parameters<RunStore['openWait']>) => store.openWait(...given)),
    readWait: guarded((...given: Parameters<RunStore['readWait']>) => store.readWait(...given)),
    answerWait: guarded((...given: Parameters<RunStore['answerWait']>) => store.answerWait(...given)),
  };
}
