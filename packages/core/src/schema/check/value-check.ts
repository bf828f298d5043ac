import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { isJsonArray, member } from '../member.ts';
import { deepEqual } from './deep-equal.ts';
import { type Check, spend } from './run.ts';
import { structuralKey } from './structural-key.ts';
import { typeOf, typesOf } from './type-set.ts';

/** The values that `enum`, `const` and `type` together leave over, or undefined without `enum` and `const`. */
export function admittedValues(json: JsonObject): readonly JsonValue[] | undefined {
  const options = member(json, 'enum');
  const constant = member(json, 'const');
  if (!isJsonArray(options) && constant === undefined) return undefined;
  const types = typesOf(json);
  const listed = isJsonArray(options) ? options : [constant ?? null];
  const both = constant === undefined ? listed : listed.filter((option) => deepEqual(option, constant));
  return both.filter((option) => (typeOf(option) & types) !== 0);
}

/** Whether a value needs no look at its parts to be compared. */
export function isScalar(value: JsonValue): boolean {
  return typeof value !== 'object' || value === null;
}

/** A check for one of `options`. */
export function valueCheck(options: readonly JsonValue[]): Check {
  const scalars = new Set(options.filter(isScalar));
  const composites = options.filter((option) => !isScalar(option));
  const [only] = scalars;
  if (composites.length === 0 && scalars.size === 1) return (value) => value === only;
  if (composites.length === 0) return (value) => scalars.has(value);
  const [composite] = composites;
  if (composite !== undefined && composites.length === 1) {
    return (value) =>
      typeof value === 'object' && value !== null ? deepEqual(composite, value) : scalars.has(value);
  }
  // One look at the value, however many options there are and however much of it they share.
  const keys = new Set(composites.map(structuralKey));
  return (value, run) => {
    if (typeof value !== 'object' || value === null) return scalars.has(value);
    const key = structuralKey(value);
    spend(run, key.length >> 5);
    return keys.has(key);
  };
}
