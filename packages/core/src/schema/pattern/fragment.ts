import { type CharacterSet, characterSet } from './character-set.ts';
import {
  addWays,
  doubtfulWay,
  either,
  eitherTo,
  noWay,
  oneWay,
  series,
  seriesTo,
  type Ways,
  type WaysTo,
} from './ways.ts';
import { spend, type WorkBudget } from './work-budget.ts';

/** An automaton under construction. */
export interface Building {
  /** What each position reads. */
  readonly sets: CharacterSet[];
  /** Where an attempt goes on after each position. */
  readonly follow: Map<number, Ways>[];
  readonly budget: WorkBudget;
}

/** A piece of a pattern as seen from outside. `AtStart` holds where nothing of the text was read yet. */
export interface Fragment {
  /** Ways to the positions that read its first character. */
  readonly firstAtStart: WaysTo;
  readonly first: WaysTo;
  /** Ways through it without reading. */
  readonly emptyAtStart: Ways;
  readonly empty: Ways;
  /** Ways out of it from the positions that read its last character. */
  readonly last: WaysTo;
}

const nowhere: WaysTo = new Map();
const nothing: CharacterSet = characterSet([]);

/** The piece that matches the empty text only. */
export const emptyFragment: Fragment = {
  firstAtStart: nowhere,
  first: nowhere,
  emptyAtStart: oneWay,
  empty: oneWay,
  last: nowhere,
};

/** An assertion: it reads nothing, may hold or not, and takes some steps to find out. */
export function assertionFragment(steps: number, building: Building): Fragment {
  return costly({ ...emptyFragment, emptyAtStart: doubtfulWay, empty: doubtfulWay }, steps, building);
}

/** A piece that reads one character of a set. */
export function readFragment(set: CharacterSet, building: Building): Fragment {
  const here: WaysTo = new Map([[addPosition(set, building), oneWay]]);
  return { firstAtStart: here, first: here, emptyAtStart: noWay, empty: noWay, last: here };
}

/** `^`: holds at the start, and costs a step that fails anywhere else. */
export function startFragment(building: Building): Fragment {
  return { ...emptyFragment, empty: noWay, first: deadEnd(oneWay, building) };
}

/** Any one of some pieces. */
export function chooseFragments(pieces: readonly Fragment[]): Fragment {
  return {
    firstAtStart: eitherTo(pieces.map((piece) => piece.firstAtStart)),
    first: eitherTo(pieces.map((piece) => piece.first)),
    emptyAtStart: pieces.map((piece) => piece.emptyAtStart).reduce(either, noWay),
    empty: pieces.map((piece) => piece.empty).reduce(either, noWay),
    last: eitherTo(pieces.map((piece) => piece.last)),
  };
}

/** One piece and then another. */
export function connectFragments(before: Fragment, after: Fragment, building: Building): Fragment {
  link(before.last, after.first, building);
  return {
    firstAtStart: eitherTo([before.firstAtStart, seriesTo(before.emptyAtStart, after.firstAtStart)]),
    first: eitherTo([before.first, seriesTo(before.empty, after.first)]),
    emptyAtStart: series(before.emptyAtStart, after.emptyAtStart),
    empty: series(before.empty, after.empty),
    last: eitherTo([seriesTo(after.empty, before.last), after.last]),
  };
}

/** A piece again and again, or not at all. */
export function endlessFragment(piece: Fragment, building: Building): Fragment {
  const round = nonEmpty(piece, building);
  link(round.last, round.first, building);
  return { ...round, empty: oneWay, emptyAtStart: oneWay };
}

/** A piece and then `rest`, or neither. */
export function optionalFragment(piece: Fragment, rest: Fragment, building: Building): Fragment {
  const round = connectFragments(nonEmpty(piece, building), rest, building);
  return { ...round, empty: oneWay, emptyAtStart: oneWay };
}

/** The body of a look-ahead: attempted beside the pattern itself, and never continued into it. */
export function lookAheadFragment(body: Fragment, building: Building): Fragment {
  link(body.last, deadEnd(oneWay, building), building);
  return {
    firstAtStart: eitherTo([body.firstAtStart, deadEnd(body.emptyAtStart, building)]),
    first: eitherTo([body.first, deadEnd(body.empty, building)]),
    emptyAtStart: doubtfulWay,
    empty: doubtfulWay,
    last: nowhere,
  };
}

/** A piece that is entered with so many steps more. */
export function costly(piece: Fragment, steps: number, building: Building): Fragment {
  const failing = deadEnd({ count: steps, open: false }, building);
  return {
    ...piece,
    firstAtStart: eitherTo([piece.firstAtStart, failing]),
    first: eitherTo([piece.first, failing]),
  };
}

/** A piece that may not be left where it seems so. */
export function doubtFragment(piece: Fragment): Fragment {
  return {
    ...piece,
    emptyAtStart: series(piece.emptyAtStart, doubtfulWay),
    empty: series(piece.empty, doubtfulWay),
    last: seriesTo(doubtfulWay, piece.last),
  };
}

/** An optional round that read nothing fails (ECMA-262, section 22.2.2.3.1, RepeatMatcher, step 2.b). */
function nonEmpty(piece: Fragment, building: Building): Fragment {
  return {
    firstAtStart: eitherTo([piece.firstAtStart, deadEnd(piece.emptyAtStart, building)]),
    first: eitherTo([piece.first, deadEnd(piece.empty, building)]),
    emptyAtStart: noWay,
    empty: noWay,
    last: piece.last,
  };
}

function link(last: WaysTo, first: WaysTo, { follow, budget }: Building): void {
  spend(budget, last.size * first.size);
  for (const [from, waysOut] of last) {
    const after = follow[from];
    if (after === undefined) continue;
    for (const [to, waysIn] of first) addWays(after, to, series(waysOut, waysIn));
  }
}

function addPosition(set: CharacterSet, building: Building): number {
  building.follow.push(new Map());
  return building.sets.push(set) - 1;
}

/** Ways that cost a step each and fail. */
function deadEnd(ways: Ways, building: Building): WaysTo {
  return ways.count === 0 ? nowhere : new Map([[addPosition(nothing, building), ways]]);
}
