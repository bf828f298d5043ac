import type { JsonValue } from '../../json/json-value.ts';
import type { CheckBuilder } from '../check/check-builder.ts';
import { descend, type Exhaustion, exhaustionOf, openRun } from '../check/run.ts';
import type { SchemaTarget } from '../reference/schema-node.ts';
import type { Issue } from '../schema.ts';
import { explainTarget } from './explain-target.ts';
import { type Explanation, maxIssues, report } from './explanation.ts';
import { showValue } from './show-value.ts';

/**
 * Says why a value does not match: a second walk, which only follows what fails.
 *
 * @returns At most 20 issues, frozen; none when the value matches.
 */
export function explainValue(builder: CheckBuilder, root: SchemaTarget, value: JsonValue): readonly Issue[] {
  const given = judge(builder, root, value);
  if (given === true) return [];
  const explanation: Explanation = {
    builder,
    run: openRun(value, builder.stepsPerPart),
    issues: [],
    limit: maxIssues,
    secret: false,
    tally: { reports: 0 },
  };
  if (given !== false) return explainGivenUp(given);
  walk(root, value, explanation);
  // The walk has its own budget, and it is larger work than the check: it may end with nothing found.
  if (explanation.issues.length === 0) {
    report(explanation, '', {
      keyword: '(schema)',
      expected: 'what the schema describes',
      actual: showValue(value),
    });
  }
  return Object.freeze(explanation.issues);
}

function judge(builder: CheckBuilder, root: SchemaTarget, value: JsonValue): boolean | Exhaustion {
  try {
    return builder.check(root, undefined)(value, openRun(value, builder.stepsPerPart));
  } catch (error) {
    const exhaustion = exhaustionOf(error);
    if (exhaustion === undefined) throw error;
    return exhaustion;
  }
}

function walk(root: SchemaTarget, value: JsonValue, explanation: Explanation): void {
  try {
    descend(explanation.run);
    explainTarget(root, undefined, value, '', explanation);
  } catch (error) {
    // What was found until the budget ended is still true.
    if (exhaustionOf(error) === undefined) throw error;
  }
}

/** The one issue of a value that was given up. */
export function explainGivenUp(exhaustion: Exhaustion): readonly Issue[] {
  const keyword = `(${exhaustion})`;
  const [expected, actual] =
    exhaustion === 'budget'
      ? ['a value that can be checked in bounded time', 'too costly to check']
      : ['less deeply nested', 'nested too deeply to check'];
  const message = `must be ${expected}, but is ${actual}`;
  return Object.freeze([Object.freeze({ pointer: '', keyword, expected, actual, message })]);
}
