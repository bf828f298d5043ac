import type { Usage } from '@toolgate/model';

/** The counts of two attempts together. What one of them does not say is unknown of both; nothing is counted as 0. */
export function sumUsage(left: Usage | null, right: Usage | null): Usage | null {
  if (left === null && right === null) return null;
  const sum = (name: keyof Usage): number | null => {
    const [first, second] = [left?.[name] ?? null, right?.[name] ?? null];
    return first === null || second === null ? null : first + second;
  };
  return Object.freeze({
    inputTotal: sum('inputTotal'),
    cacheRead: sum('cacheRead'),
    cacheWrite: sum('cacheWrite'),
    outputTotal: sum('outputTotal'),
    reasoning: sum('reasoning'),
  });
}
