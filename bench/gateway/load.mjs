// How much of the machine others used while the benchmark ran.
import { cpus, loadavg } from 'node:os';

const busy = () => cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);

/** Begins to watch. @param {() => Promise<number>} own - Processor milliseconds of the benchmark's processes so far. */
export async function watchLoad(own) {
  const since = performance.now();
  const busyBefore = busy();
  const ownBefore = await own();
  return async () => {
    const ms = performance.now() - since;
    const others = (busy() - busyBefore - ((await own()) - ownBefore)) / ms;
    return `load average ${loadavg()[0].toFixed(1)}; others used ${Math.max(0, others).toFixed(2)} of ${cpus().length} processors in the mean`;
  };
}
