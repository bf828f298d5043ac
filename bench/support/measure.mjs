/**
 * Interleaved timing: in each round every candidate runs once, in alternating order, for about the same time. A ratio is
 * taken inside a round and the median over the rounds is reported, so that a machine which is busy for a while does not
 * tilt the comparison. Processor time is counted, not the clock on the wall.
 *
 * @template Input
 * @param {Readonly<Record<string, (input: Input) => unknown>>} candidates
 * @param {readonly Input[]} inputs - All are run in turn, so that no single one is learnt by heart.
 * @param {{ readonly rounds?: number, readonly sliceMs?: number }} [options] - Defaults: 25 rounds of 12 ms each.
 * @returns {Record<string, number[]>} For each candidate the nanoseconds per input of each round.
 */
export function measure(candidates, inputs, { rounds = 25, sliceMs = 12 } = {}) {
  const names = Object.keys(candidates);
  const counts = Object.fromEntries(names.map((name) => [name, calibrate(candidates[name], inputs, sliceMs)]));
  const times = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      times[name].push(runSlice(candidates[name], inputs, counts[name]));
    }
  }
  return times;
}

/**
 * The median over the rounds of the base's time divided by the candidate's; above 1 is faster than the base.
 *
 * @param {Readonly<Record<string, readonly number[]>>} times
 * @param {string} base
 * @param {string} name
 */
export function ratio(times, base, name) {
  return median(times[base].map((time, round) => time / times[name][round]));
}

/** @param {readonly number[]} numbers */
export function median(numbers) {
  const sorted = numbers.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)];
}

/** How often all inputs are run in one slice, found after the compiler had its time. */
function calibrate(run, inputs, sliceMs) {
  runFor(run, inputs, sliceMs * 20);
  return Math.max(1, Math.round(runFor(run, inputs, sliceMs * 4) / 4));
}

/**
 * Runs all inputs again and again for so much processor time; on a busy machine a while on the clock may be next to none.
 *
 * @template Input
 * @param {(input: Input) => unknown} run
 * @param {readonly Input[]} inputs
 * @param {number} milliseconds
 * @returns {number} How often all of them were run.
 */
export function runFor(run, inputs, milliseconds) {
  const until = processorMs() + milliseconds;
  let count = 0;
  // A look at the processor time costs as much as ten small calls.
  for (let batch = 1; processorMs() < until; batch = Math.min(batch * 2, 32)) {
    for (let i = 0; i < batch; i++) for (const input of inputs) run(input);
    count += batch;
  }
  return count;
}

function processorMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
}

function runSlice(run, inputs, count) {
  const start = process.cpuUsage();
  for (let i = 0; i < count; i++) for (const input of inputs) run(input);
  const { user, system } = process.cpuUsage(start);
  return ((user + system) * 1e3) / (count * inputs.length);
}
