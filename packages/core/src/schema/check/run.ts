import type { JsonArray, JsonObject, JsonValue } from '../../json/json-value.ts';
import type { SchemaResource } from '../reference/schema-node.ts';

/** Why a validation was given up. A value that is too costly to check is refused, never passed. */
export type Exhaustion = 'budget' | 'depth';

/** The account of one validation. Made for one call and never shared, so checks may nest. */
export interface Run {
  /** Subschema applications that are left. */
  steps: number;
  /** Open applications of recursive subschemas. */
  depth: number;
  readonly root: JsonValue;
  /** Steps that are granted for each member and item of the value, once the first ones are used up. */
  readonly stepsPerPart: number;
  /** Set once the value's own size was added to the allowance. */
  extended: boolean;
  /** Schema resources entered so far, outermost first; kept only where a `$dynamicRef` needs it. */
  scope: SchemaResource[] | undefined;
}

/** Answers whether a value matches one subschema. */
export type Check = (value: JsonValue, run: Run) => boolean;
/** The part of a check that looks at arrays only. */
export type ArrayCheck = (value: JsonArray, run: Run) => boolean;
/** The part of a check that looks at objects only. */
export type ObjectCheck = (value: JsonObject, run: Run) => boolean;

/** Steps that every validation may take; a few milliseconds. */
const baseSteps = 200_000;
/** Deepest nesting of recursive subschemas. A strict reader stops far below it. */
const maxDepth = 1_000;

class Exhausted extends Error {
  override readonly name = 'Exhausted';
  readonly kind: Exhaustion;

  constructor(kind: Exhaustion) {
    super(`validation given up: ${kind}`);
    this.kind = kind;
  }
}

/** A fresh account for one value. */
export function openRun(root: JsonValue, stepsPerPart: number): Run {
  return { steps: baseSteps, depth: 0, root, stepsPerPart, extended: false, scope: undefined };
}

/**
 * An account that the size of the value does not extend. It belongs to no value, so it can be used again: a walk that
 * returned has closed all that it opened, and only its steps have to be given back.
 */
export function openShortRun(): Run {
  return { steps: baseSteps, depth: 0, root: null, stepsPerPart: 0, extended: true, scope: undefined };
}

/** Gives back what a walk that returned took off a short account. */
export function refill(run: Run): void {
  run.steps = baseSteps;
}

/** Takes `count` steps off the account; ends the validation when there are none left. */
export function spend(run: Run, count: number): void {
  run.steps -= count;
  if (run.steps < 0) overdraw(run);
}

/** Opens one level of a recursive subschema; the caller closes it by lowering `run.depth`. */
export function descend(run: Run): void {
  run.depth += 1;
  if (run.depth > maxDepth) throw new Exhausted('depth');
}

/**
 * What an error thrown inside a walk says about it, or undefined when it is somebody else's error. Running out of
 * stack counts as depth: how much stack is left depends on the caller.
 */
export function exhaustionOf(error: unknown): Exhaustion | undefined {
  if (error instanceof Exhausted) return error.kind;
  return error instanceof RangeError ? 'depth' : undefined;
}

/** For an account below zero: grants what the value's own size allows, or ends the validation. */
export function overdraw(run: Run): void {
  if (!run.extended) {
    run.extended = true;
    run.steps += countParts(run.root) * run.stepsPerPart;
  }
  if (run.steps < 0) throw new Exhausted('budget');
}

/** Ends the validation, whatever is left on its account. */
export function giveUp(kind: Exhaustion): never {
  throw new Exhausted(kind);
}

/** Members and items at any depth, and long strings by their length. Without recursion: the value may be deep. */
export function countParts(root: JsonValue): number {
  const open: JsonValue[] = [root];
  const limit = 100_000_000;
  let parts = 0;
  for (let value = open.pop(); value !== undefined && parts < limit; value = open.pop()) {
    parts += 1;
    if (typeof value === 'string') parts += value.length >> 8;
    else if (typeof value === 'object' && value !== null) {
      for (const part of Object.values(value)) open.push(part);
    }
  }
  return parts;
}
