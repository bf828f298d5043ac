import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { keywordShapes } from '../keywords.ts';
import { numberMember } from '../member.ts';
import type { Dialect } from '../schema.ts';
import type { Check, Run } from './run.ts';
import { numberTypes, typeBit, typesOf } from './type-set.ts';

/** How a step is taken: through its closure, or by a comparison that is too small to deserve a call. */
export type StepKind =
  | 'closure'
  | 'string'
  | 'short-string'
  | 'integer'
  | 'integer-range'
  | 'number'
  | 'number-range'
  | 'boolean'
  | 'any';

/**
 * One application of a subschema to a member or an item. Most members of real schemas are plain scalars; testing
 * them where they are met instead of calling a closure halves the time of a whole validation.
 */
export interface Step {
  readonly kind: StepKind;
  /** For the ranges: the smallest number or the fewest UTF-16 units that pass without a closer look. */
  readonly minimum: number;
  readonly maximum: number;
  /** Gives the whole answer, for every kind. */
  readonly check: Check;
}

/** Takes one step. Kept small, so that it is inlined into the loops over members and items. */
export function take(step: Step, value: JsonValue, run: Run): boolean {
  switch (step.kind) {
    case 'string':
      return typeof value === 'string';
    case 'closure':
      return step.check(value, run);
    case 'short-string':
      return (
        (typeof value === 'string' && value.length >= step.minimum && value.length <= step.maximum) ||
        step.check(value, run)
      );
    case 'integer':
      return Number.isInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'number':
      return typeof value === 'number';
    case 'integer-range':
      return isInteger(value) && value >= step.minimum && value <= step.maximum;
    case 'number-range':
      return typeof value === 'number' && value >= step.minimum && value <= step.maximum;
    case 'any':
      return true;
  }
}

/** The step for an object subschema; `check` is its closure. */
export function stepOf(json: JsonObject, dialect: Dialect, check: Check): Step {
  const asserting = new Set(Object.keys(json).filter((keyword) => keywordShapes[dialect].has(keyword)));
  for (const keyword of silent) asserting.delete(keyword);
  if (asserting.size === 0) return makeStep('any', check);
  asserting.delete('type');
  const types = typesOf(json);
  if (types === typeBit.boolean && asserting.size === 0) return makeStep('boolean', check);
  if (types === typeBit.string) return textStep(json, asserting, check);
  if (types === typeBit.integer) return numberStep(json, asserting, check, 'integer');
  if (types === numberTypes) return numberStep(json, asserting, check, 'number');
  return closureStep(check);
}

/** A step that passes everything. */
export const anyStep: Step = makeStep('any', () => true);

/** A step through a closure. */
export function closureStep(check: Check): Step {
  return makeStep('closure', check);
}

/** The only place where a step is made: equal hidden classes keep {@link take} fast. */
function makeStep(kind: StepKind, check: Check, minimum = -Infinity, maximum = Infinity): Step {
  return { kind, minimum, maximum, check };
}

/** Keywords that name or hold schemas and ask nothing of a value. */
const silent: readonly string[] = ['$id', '$anchor', '$dynamicAnchor', '$defs', 'definitions'];

function textStep(json: JsonObject, asserting: Set<string>, check: Check): Step {
  const bounded = asserting.delete('minLength') || asserting.has('maxLength');
  asserting.delete('maxLength');
  if (asserting.size > 0) return closureStep(check);
  if (!bounded) return makeStep('string', check);
  // A code point takes at most two units.
  const minimum = 2 * (numberMember(json, 'minLength') ?? 0);
  return makeStep('short-string', check, minimum, numberMember(json, 'maxLength'));
}

function numberStep(
  json: JsonObject,
  asserting: Set<string>,
  check: Check,
  kind: 'integer' | 'number',
): Step {
  const bounded = asserting.delete('minimum') || asserting.has('maximum');
  asserting.delete('maximum');
  if (asserting.size > 0) return closureStep(check);
  if (!bounded) return makeStep(kind, check);
  const minimum = numberMember(json, 'minimum');
  return makeStep(`${kind}-range`, check, minimum, numberMember(json, 'maximum'));
}

function isInteger(value: JsonValue): value is number {
  return Number.isInteger(value);
}
