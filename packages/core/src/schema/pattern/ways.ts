/**
 * How a matcher can come from one place of a pattern to another without reading a character.
 *
 * Ways form a semiring: {@link series} follows one after the other, {@link either} chooses.
 */
export interface Ways {
  /** Number of different ways; 0 when there is none. */
  readonly count: number;
  /** Whether one of them depends on no assertion, so that it is open whatever the text is. */
  readonly open: boolean;
}

/** Counts stop here, far above every bound, and so stay finite. */
const maxCount = 1_000_000_000;

/** None. */
export const noWay: Ways = { count: 0, open: false };
/** One, whatever the text is. */
export const oneWay: Ways = { count: 1, open: true };
/** One way that an assertion may close. */
export const doubtfulWay: Ways = { count: 1, open: false };

/** Ways that lead along `first` and on along `second`. */
export function series(first: Ways, second: Ways): Ways {
  return { count: Math.min(maxCount, first.count * second.count), open: first.open && second.open };
}

/** Ways along either. */
export function either(left: Ways, right: Ways): Ways {
  if (left.count === 0) return right;
  if (right.count === 0) return left;
  return { count: Math.min(maxCount, left.count + right.count), open: left.open || right.open };
}

/** Ways to each of some positions. */
export type WaysTo = ReadonlyMap<number, Ways>;

/** Adds `ways` to those to `position`. */
export function addWays(target: Map<number, Ways>, position: number, ways: Ways): void {
  if (ways.count > 0) target.set(position, either(target.get(position) ?? noWay, ways));
}

/** Ways to the positions of any of the maps. */
export function eitherTo(maps: readonly WaysTo[]): WaysTo {
  const filled = maps.filter((map) => map.size > 0);
  const [only] = filled;
  if (filled.length < 2) return only ?? new Map();
  const all = new Map<number, Ways>();
  for (const map of filled) for (const [position, ways] of map) addWays(all, position, ways);
  return all;
}

/** Ways along `first` and on to each of the positions. */
export function seriesTo(first: Ways, positions: WaysTo): WaysTo {
  if (first.count === 0 || positions.size === 0) return new Map();
  if (first.count === 1 && first.open) return positions;
  return new Map(Array.from(positions, ([position, ways]) => [position, series(first, ways)] as const));
}
