/**
 * The settings of a property that is tried so many times; `TOOLGATE_RUNS` multiplies that, for a long night.
 *
 * @throws Error when `TOOLGATE_RUNS` is no whole number from 1.
 */
export function propertyRuns(count: number): { readonly numRuns: number } {
  const times = process.env['TOOLGATE_RUNS'] ?? '1';
  if (!/^[1-9][0-9]{0,5}$/u.test(times)) throw new Error('TOOLGATE_RUNS is a whole number from 1.');
  return { numRuns: count * Number(times) };
}
