import type { JsonValue } from '../../json/json-value.ts';
import type { SchemaTarget } from '../reference/schema-node.ts';
import type { CheckBuilder, Compilation } from './check-builder.ts';
import { createChecks } from './create-checks.ts';
import { type Check, exhaustionOf, openRun, openShortRun, type Run, refill } from './run.ts';

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
  const checkAtLength = (builder: CheckBuilder, value: JsonValue): boolean => {
    try {
      return builder.check(root, undefined)(value, openRun(value, compilation.stepsPerPart));
    } catch (error) {
      if (exhaustionOf(error) === undefined) throw error;
      return false;
    }
  };
  let check: Check | undefined;
  let idle: Run | undefined;
  return {
    builder: () => (isPolluted() ? careful() : usual()),
    check: (value) => {
      if (isPolluted()) return checkAtLength(careful(), value);
      // Making an account is a tenth of a small check, so one is kept. A check that a pattern engine makes during this
      // one has its own.
      const run = idle ?? openShortRun();
      idle = undefined;
      try {
        check ??= usual().check(root, undefined);
        const matches = check(value, run);
        refill(run);
        idle = run;
        return matches;
      } catch (error) {
        const exhaustion = exhaustionOf(error);
        if (exhaustion === undefined) throw error;
        // Few values are so large. They are walked again with the steps that their size allows.
        return exhaustion === 'budget' && checkAtLength(usual(), value);
      }
    },
  };
}

const empty: object = {};

function isPolluted(): boolean {
  for (const _name in empty) return true;
  return false;
}
