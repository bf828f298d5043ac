import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { isJsonArray, member } from '../member.ts';
import { deepEqual } from './deep-equal.ts';
import { type Check, spend } from './run.ts';

/** `enum` and `const`, each as a check. */
export function valueChecks(json: JsonObject): readonly Check[] {
  const checks: Check[] = [];
  const options = member(json, 'enum');
  if (isJsonArray(options)) checks.push(oneOfValues(options));
  const constant = member(json, 'const');
  if (constant !== undefined) checks.push(oneOfValues([constant]));
  return checks;
}

function oneOfValues(options: readonly JsonValue[]): Check {
  const composites = options.filter((option) => typeof option === 'object' && option !== null);
  const scalars = new Set(options);
  for (const composite of composites) scalars.delete(composite);
  const [only] = scalars;
  if (composites.length === 0 && scalars.size === 1) return (value) => value === only;
  if (composites.length === 0) return (value) => scalars.has(value);
  return (value, run) => {
    if (typeof value !== 'object' || value === null) return scalars.has(value);
    spend(run, composites.length);
    return composites.some((option) => deepEqual(option, value));
  };
}
