import { setTimeout } from 'node:timers/promises';

/** Attempts of one piece of work; with the pauses below they take about ten seconds. */
const ATTEMPTS = 420;
const LONGEST_PAUSE_MS = 25;

/**
 * Does work on a SQLite file again while another process or connection holds it. The driver itself would wait with the
 * whole process standing still, so it does not wait for a transaction to begin.
 *
 * @param work - Not begun when the file was held: a transaction takes the file before anything else.
 */
export async function retryBusy<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS || !isBusy(error)) throw error;
      await setTimeout(Math.min(attempt, LONGEST_PAUSE_MS));
    }
  }
}

function isBusy(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && code.startsWith('SQLITE_BUSY');
}
