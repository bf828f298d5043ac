/** How many times larger the large input is. */
export const GROWTH = 8;

/**
 * How much more processor time work takes with eight times the input: about 8 times where it goes by the length, and 64
 * times where it goes by the square. Other work on the machine does not inflate processor time.
 *
 * The least of some rounds counts, since a disturbance only adds. On a busy machine it takes many rounds until one is not
 * disturbed; what costs too much stays so in all of them.
 *
 * @param work - Gets the size of its input; what that needs is best made before, once for each size.
 */
export function growth(work: (size: number) => void, size: number): number {
  let [leastSmall, leastLarge] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const start = process.cpuUsage();
  for (let round = 0; round < 500 && spent(start) < MOST; round += 1) {
    leastSmall = Math.min(
      leastSmall,
      cost(() => work(size), GROWTH),
    );
    leastLarge = Math.min(
      leastLarge,
      cost(() => work(size * GROWTH), 1),
    );
    const ratio = leastLarge / leastSmall;
    if (ratio < GROWTH * 2 ? round > 2 : ratio < GROWTH * 4 && round > 20) break;
  }
  return leastLarge / leastSmall;
}

/** Microseconds after which nobody waits for a better round. */
const MOST = 40_000_000;

function spent(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

/** Microseconds of one time. */
function cost(work: () => void, times: number): number {
  const start = process.cpuUsage();
  for (let time = 0; time < times; time += 1) work();
  return spent(start) / times;
}
