const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
] as const;

/** A span of milliseconds in its largest whole unit: `42s`, `3m`, `2h`, `5d`; one below 0 is `0s`, as clocks differ. */
export function formatSpan(ms: number): string {
  const [size, unit] = UNITS.find(([each]) => ms >= each) ?? [1_000, 's'];
  return `${Math.max(0, Math.floor(ms / size))}${unit}`;
}
