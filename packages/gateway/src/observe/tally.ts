/**
 * Adds up what happens with every request until somebody reads the metrics: a metric looks for its series anew with every
 * count, and that for all that is counted of a request costs as much as reading it.
 */
export interface Tally<Labels extends object> {
  /**
   * Takes a number.
   *
   * @param key - The labels as one text; the same text for the same labels.
   */
  add(key: string, labels: Labels, amount: number): void;
  /** Hands on what was added since the last time. */
  flush(): void;
}

/** Makes a tally of sums. @param count - Takes a sum: finite, and none of nothing. */
export function createSums<Labels extends object>(
  count: (labels: Labels, sum: number) => void,
): Tally<Labels> {
  const sums = new Map<string, { readonly labels: Labels; sum: number }>();
  return Object.freeze({
    add(key: string, labels: Labels, amount: number) {
      const known = sums.get(key);
      if (known === undefined) sums.set(key, { labels, sum: amount });
      else known.sum = Math.min(Number.MAX_VALUE, known.sum + amount);
    },
    flush() {
      for (const known of sums.values()) {
        const { labels, sum } = known;
        known.sum = 0;
        if (sum > 0) count(labels, sum);
      }
    },
  });
}

/** Numbers of one series that wait at most. */
const MOST_WAITING = 512;

/** Makes a tally of single numbers, which are handed on one by one when there are many, or at a flush. */
export function createSamples<Labels extends object>(
  observe: (labels: Labels, sample: number) => void,
): Tally<Labels> {
  const series = new Map<string, { readonly labels: Labels; readonly samples: number[] }>();
  const handOn = ({ labels, samples }: { readonly labels: Labels; readonly samples: number[] }): void => {
    for (const sample of samples.splice(0)) observe(labels, sample);
  };
  return Object.freeze({
    add(key: string, labels: Labels, amount: number) {
      const known = series.get(key);
      if (known === undefined) {
        series.set(key, { labels, samples: [amount] });
        return;
      }
      known.samples.push(amount);
      if (known.samples.length >= MOST_WAITING) handOn(known);
    },
    flush() {
      for (const known of series.values()) handOn(known);
    },
  });
}
