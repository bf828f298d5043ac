import type { JsonValue } from '../../json/json-value.ts';
import type { SchemaTarget } from '../reference/schema-node.ts';
import type { CheckBuilder, Compilation } from './check-builder.ts';
import { createChecks } from './create-checks.ts';
import { type Check, exhaustionOf, openRun } from './run.ts';

/** Checks whole values against one compiled schema. */
export interface Checker {
  readonly check: (value: JsonValue) => boolean;
  /** The closures to use now: others while `Object.prototype` has enumerable members. */
  readonly builder: () => CheckBuilder;
}

/** Makes the closures of `root` when the first value comes. */
export function createChecker(compilation: Omit<Compilation, 'careful'>, root: SchemaTarget): Checker {
  const makeBuilder = (careful: boolean): (() => CheckBuilder) => {
    let builder: CheckBuilder | undefined;
    return () => (builder ??= createChecks({ ...compilation, careful }));
  };
  const usual = makeBuilder(false);
  const careful = makeBuilder(true);
  let check: Check | undefined;
  return {
    builder: () => (isPolluted() ? careful() : usual()),
    check: (value) => {
      const run = openRun(value, compilation.stepsPerPart);
      try {
        if (isPolluted()) return careful().check(root, undefined)(value, run);
        check ??= usual().check(root, undefined);
        return check(value, run);
      } catch (error) {
        if (exhaustionOf(error) === undefined) throw error;
        return false;
      }
    },
  };
}

const empty: object = {};

function isPolluted(): boolean {
  for (const _name in empty) return true;
  return false;
}
