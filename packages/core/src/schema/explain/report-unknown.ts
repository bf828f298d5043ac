import { spend } from '../check/run.ts';
import { type Explanation, report } from './explanation.ts';
import { quote, showNames } from './show-value.ts';

/** Longest pattern that is shown. */
const maxPattern = 120;

/**
 * Reports a member that no keyword knows, with the known names, the most similar first.
 *
 * @param patterns - Of other names that may be there.
 */
export function reportUnknown(
  explanation: Explanation,
  pointer: string,
  keyword: string,
  name: string,
  known: readonly string[],
  patterns: readonly string[] = [],
): void {
  spend(explanation.run, known.length);
  const simple = simplify(name);
  const similar = known.filter((other) => isSimilar(simple, simplify(other)));
  const ordered = [...similar, ...known.filter((other) => !similar.includes(other))].slice(0, 50);
  const admitted = [
    ...(known.length === 0 ? [] : [showNames(ordered)]),
    ...(patterns.length === 0 ? [] : [`those whose names match ${showPatterns(patterns)}`]),
  ];
  report(explanation, pointer, {
    keyword,
    verb: 'have',
    expected: admitted.length === 0 ? 'no members' : `no members but ${admitted.join(', or ')}`,
    actual: quote(name),
  });
}

function showPatterns([first = '', ...others]: readonly string[]): string {
  const shown = first.length > maxPattern ? `${first.slice(0, maxPattern - 1)}…` : first;
  return others.length === 0 ? shown : `${shown} or ${others.length} more`;
}

/** Names that differ in case, in separators, or by one letter are probably meant to be the same. */
function isSimilar(left: string, right: string): boolean {
  if (left === right) return true;
  const [short, long] = left.length < right.length ? [left, right] : [right, left];
  if (long.length > 64 || long.length - short.length > 1 || short.length < 3) return false;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same += 1;
  const rest = long.slice(same + 1);
  return rest === short.slice(same) || rest === short.slice(same + 1);
}

function simplify(name: string): string {
  return name
    .slice(0, 80)
    .toLowerCase()
    .replaceAll(/[-_\s]/g, '');
}
