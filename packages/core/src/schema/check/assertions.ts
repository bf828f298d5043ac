import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { isJsonArray, member } from '../member.ts';
import type { SchemaNode } from '../reference/schema-node.ts';
import { arrayCheck } from './array-check.ts';
import type { CheckBuilder } from './check-builder.ts';
import { deepEqual } from './deep-equal.ts';
import { numberCheck } from './number-check.ts';
import { objectCheck } from './object-check.ts';
import {
  type ArrayCheck,
  type Check,
  type NumberCheck,
  type ObjectCheck,
  type StringCheck,
  spend,
} from './run.ts';
import { stringCheck } from './string-check.ts';
import { typesOf } from './type-set.ts';

/** What a node's own keywords ask for, by the type of value they look at. Applicators to the same value are apart. */
export interface Assertions {
  /** Bits of {@link typeBit} that pass. */
  readonly types: number;
  /** `enum` and `const`. */
  readonly values: readonly Check[];
  readonly number: NumberCheck | undefined;
  readonly string: StringCheck | undefined;
  readonly array: ArrayCheck | undefined;
  readonly object: ObjectCheck | undefined;
}

/** Reads the assertions of a node; a part that no admitted type needs is left out. */
export function assertionsOf(node: SchemaNode, builder: CheckBuilder): Assertions {
  const { json } = node;
  return {
    types: typesOf(json),
    values: valueChecks(json),
    number: numberCheck(json),
    string: stringCheck(json, builder),
    array: arrayCheck(node, builder),
    object: objectCheck(node, builder),
  };
}

function valueChecks(json: JsonObject): readonly Check[] {
  const checks: Check[] = [];
  const options = member(json, 'enum');
  if (isJsonArray(options)) checks.push(oneOfValues(options));
  const constant = member(json, 'const');
  if (constant !== undefined) checks.push(oneOfValues([constant]));
  return checks;
}

function oneOfValues(options: readonly JsonValue[]): Check {
  const scalars = new Set<JsonValue>(
    options.filter((option) => typeof option !== 'object' || option === null),
  );
  const composites = options.filter((option) => typeof option === 'object' && option !== null);
  const [only] = scalars;
  if (composites.length === 0 && scalars.size === 1) return (value) => value === only;
  if (composites.length === 0) return (value) => scalars.has(value);
  return (value, run) => {
    if (typeof value !== 'object' || value === null) return scalars.has(value);
    spend(run, composites.length);
    return composites.some((option) => deepEqual(option, value));
  };
}
