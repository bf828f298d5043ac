import type { SchemaResource, SchemaTarget } from '../reference/schema-node.ts';
import type { Mark } from './marks.ts';
import type { Check, Run } from './run.ts';

/** The outermost bearer of a dynamic anchor among the resources entered (2020-12 Core 8.2.3.2). */
export function pickDynamic(run: Run, anchor: string, otherwise: SchemaTarget): SchemaTarget {
  for (const resource of run.scope ?? []) {
    const bearer = resource.dynamicAnchors.get(anchor);
    if (bearer !== undefined) return bearer;
  }
  return otherwise;
}

/** A check that enters another resource first. */
export function entering(resource: SchemaResource, check: Check): Check {
  return (value, run) => {
    run.scope ??= [];
    run.scope.push(resource);
    const matches = check(value, run);
    run.scope.pop();
    return matches;
  };
}

/** {@link entering} for a check that records what it looked at. */
export function enteringMark(resource: SchemaResource, mark: Mark): Mark {
  return (value, run, marks) => {
    run.scope ??= [];
    run.scope.push(resource);
    const matches = mark(value, run, marks);
    run.scope.pop();
    return matches;
  };
}
