import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Interleaved timing of runs that take from microseconds to seconds: in each round every candidate runs once, in
 * alternating order, for about one slice but at least one run. Processor time is counted, and young garbage is collected
 * before each slice, so that no candidate pays for that of the one before. A full collection would also throw away
 * optimised code, and the slice would measure how it is compiled again.
 *
 * @param {Readonly<Record<string, () => Promise<unknown>>>} candidates
 * @param {{ readonly rounds?: number, readonly sliceMs?: number, readonly warmUpMs?: number }} [options] - Defaults: 7
 *   rounds of 20 ms each, after 600 ms of warm-up for each candidate.
 * @returns {Promise<Record<string, number[]>>} For each candidate the milliseconds per run of each round.
 */
export async function measure(candidates, { rounds = 7, sliceMs = 20, warmUpMs = 600 } = {}) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const names = Object.keys(candidates);
  const counts = {};
  for (const name of names) {
    await runFor(candidates[name], warmUpMs);
    counts[name] = Math.max(1, Math.round((await runFor(candidates[name], sliceMs * 4)) / 4));
  }
  const times = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      collect({ type: 'minor' });
      times[name].push(await runSlice(candidates[name], counts[name]));
    }
  }
  return times;
}

async function runFor(run, ms) {
  const start = process.cpuUsage();
  for (let count = 1; ; count++) {
    await run();
    const { user, system } = process.cpuUsage(start);
    if ((user + system) / 1e3 >= ms) return count;
  }
}

async function runSlice(run, count) {
  const start = process.cpuUsage();
  for (let i = 0; i < count; i++) await run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e3 / count;
}
