import { type CharacterSet, characterSet } from './character-set.ts';
import {
  assertionFragment,
  type Building,
  chooseFragments,
  connectFragments,
  costly,
  doubtFragment,
  emptyFragment,
  endlessFragment,
  type Fragment,
  lookAheadFragment,
  optionalFragment,
  readFragment,
  startFragment,
} from './fragment.ts';
import type { PatternNode, RepeatNode } from './pattern-node.ts';
import { UnreadPattern } from './pattern-reader.ts';
import { oneWay, type WaysTo } from './ways.ts';
import { spend, type WorkBudget } from './work-budget.ts';

/**
 * The ways of a backtracking matcher through a pattern, as an automaton without empty moves (Glushkov's
 * construction), but with the number of ways kept: two ways to the same place are two attempts.
 *
 * A position is one place of the pattern that reads a character. A position with an empty set is a dead end: an
 * attempt that costs a step and fails.
 */
export interface PositionAutomaton {
  /** What each position reads. */
  readonly sets: readonly CharacterSet[];
  /** Where an attempt goes on after a position. */
  readonly follow: readonly WaysTo[];
  /** Where an attempt that starts at the beginning of the text goes. */
  readonly firstAtStart: WaysTo;
  /** Where an attempt that starts later goes: past no `^`. */
  readonly first: WaysTo;
}

/** The position that stands for a finished match. */
export const matched = 0;

/** Positions up to which a repeated piece is written out; above, more repeats than allowed are assumed possible. */
const maxCopiedPositions = 64;
/** Characters of a look-behind that are accepted without a proof. */
const maxLookBehind = 6;

/**
 * Builds the automaton of a pattern.
 *
 * @throws {@link UnreadPattern} for a back-reference or a long look-behind, `OutOfWork` above the budget.
 */
export function positionAutomaton(node: PatternNode, budget: WorkBudget): PositionAutomaton {
  const building: Building = { sets: [characterSet([])], follow: [new Map()], budget };
  const toMatched: WaysTo = new Map([[matched, oneWay]]);
  const end: Fragment = { ...emptyFragment, first: toMatched, firstAtStart: toMatched };
  const { first, firstAtStart } = connectFragments(build(node, building), end, building);
  return { sets: building.sets, follow: building.follow, first, firstAtStart };
}

function build(node: PatternNode, building: Building): Fragment {
  spend(building.budget, 1);
  switch (node.kind) {
    case 'set':
      return readFragment(node.set, building);
    case 'sequence':
      return node.nodes.reduce<Fragment>(
        (before, next) => connectFragments(before, build(next, building), building),
        emptyFragment,
      );
    case 'choice':
      return chooseFragments(node.nodes.map((branch) => build(branch, building)));
    case 'repeat':
      return buildRepeat(node, building);
    case 'look':
      if (!node.behind) return lookAheadFragment(build(node.node, building), building);
      if (lookBehindLength(node.node) <= maxLookBehind) return assertionFragment(maxLookBehind + 1, building);
      throw new UnreadPattern('it has a long look-behind');
    case 'start':
      return startFragment(building);
    case 'end':
    case 'boundary':
      return assertionFragment(1, building);
    case 'back-reference':
      throw new UnreadPattern('it refers back to a group');
  }
}

/** Characters of a look-behind made of single characters and choices; infinite for anything else. */
function lookBehindLength(node: PatternNode): number {
  switch (node.kind) {
    case 'set':
      return 1;
    case 'start':
    case 'end':
    case 'boundary':
      return 0;
    case 'sequence':
    case 'choice':
      return node.nodes.reduce((sum, part) => sum + lookBehindLength(part), 0);
    case 'repeat':
    case 'look':
    case 'back-reference':
      return Infinity;
  }
}

function buildRepeat(node: RepeatNode, building: Building): Fragment {
  if (node.max === 0) return emptyFragment;
  const sizeBefore = building.sets.length;
  const pieces = [build(node.node, building)];
  const size = Math.max(1, building.sets.length - sizeBefore);
  const maxCopies = Math.max(2, Math.floor(maxCopiedPositions / size));
  // Beyond the copies the piece may repeat without end: that only adds ways, and none that counts as open.
  const isWidened = node.max !== Infinity && node.max > maxCopies;
  const isEndless = isWidened || node.max === Infinity;
  const required = Math.min(node.min, maxCopies);
  const copies = isEndless ? required + 1 : node.max;
  while (pieces.length < copies) pieces.push(build(node.node, building));
  let whole = emptyFragment;
  for (const [index, piece] of [...pieces.entries()].toReversed()) {
    spend(building.budget, whole.last.size);
    if (index < required) whole = connectFragments(piece, whole, building);
    else whole = isEndless ? endlessFragment(piece, building) : optionalFragment(piece, whole, building);
  }
  if (isWidened || node.min > required) whole = doubtFragment(whole);
  // Required rounds take place even when they read nothing.
  const [piece] = pieces;
  const mayBeEmpty = piece !== undefined && piece.empty.count + piece.emptyAtStart.count > 0;
  return node.min > 1 && mayBeEmpty ? costly(whole, node.min, building) : whole;
}
