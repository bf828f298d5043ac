import { median } from '../support/measure.mjs';

/**
 * Interleaved timing of asynchronous candidates against one synchronous or asynchronous floor: each slice of a candidate
 * stands between two slices of the floor, and the ratio is taken to their mean. Processor time is counted, so that a
 * busy machine does not tilt it.
 *
 * @param {() => unknown} floor
 * @param {Readonly<Record<string, () => unknown>>} candidates
 * @param {{ readonly rounds?: number, readonly sliceMs?: number }} [options] - Defaults: 21 rounds of 20 ms each.
 * @returns {Promise<{ floorNs: number, ratios: Record<string, { median: number, low: number, high: number }> }>}
 *   The time of the floor in nanoseconds, and of each candidate in units of the floor: median and quartiles.
 */
export async function measureAgainst(floor, candidates, { rounds = 21, sliceMs = 20 } = {}) {
  const names = Object.keys(candidates);
  const floorCount = await calibrate(floor, sliceMs);
  const counts = {};
  for (const name of names) counts[name] = await calibrate(candidates[name], sliceMs);
  const floors = [];
  const ratios = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const before = await runSlice(floor, floorCount);
      const own = await runSlice(candidates[name], counts[name]);
      const after = await runSlice(floor, floorCount);
      floors.push(before, after);
      ratios[name].push(own / ((before + after) / 2));
    }
  }
  return { floorNs: median(floors), ratios: Object.fromEntries(names.map((name) => [name, quartiles(ratios[name])])) };
}

function quartiles(numbers) {
  const sorted = numbers.toSorted((left, right) => left - right);
  const at = (part) => sorted[Math.floor((sorted.length - 1) * part)];
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}

/** Until the optimising compiler has done its work, in another thread whose time would be counted. */
const WARM_UP_MS = 1_500;

/** How often it runs in one slice, once it is warm. */
async function calibrate(run, sliceMs) {
  await runFor(run, WARM_UP_MS);
  const count = await runFor(run, sliceMs * 10);
  return Math.max(1, Math.round(count / 10));
}

/** Processor time, too: on a busy machine a while on the clock may be next to nothing. */
async function runFor(run, ms) {
  const until = processorMs() + ms;
  let count = 0;
  for (; processorMs() < until; count += BATCH) {
    for (let i = 0; i < BATCH; i++) readText(await run());
  }
  return count;
}

/** Calls between two looks at the processor time, which costs as much as a call. */
const BATCH = 16;

function processorMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
}

async function runSlice(run, count) {
  const start = process.cpuUsage();
  for (let i = 0; i < count; i++) {
    const answer = run();
    // The floor is synchronous and must not be charged for waiting.
    readText(typeof answer === 'object' ? await answer : answer);
  }
  const { user, system } = process.cpuUsage(start);
  return ((user + system) * 1e3) / count;
}

/** A text that was put together is only made when somebody reads it, and somebody does. */
function readText(text) {
  lastUnit = text.charCodeAt(text.length - 1);
}

/** Keeps the reading from being optimised away. */
export let lastUnit = 0;
