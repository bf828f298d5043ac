import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { type OwnedSchema, ownedPart } from '../intake/schema-place.ts';
import { member } from '../member.ts';

/** Objects inside objects that are looked into. */
const MAX_DEPTH = 32;

/**
 * Says the defaults of ArkType's members, which its JSON Schema leaves out: what is filled in has to be told to the model and to
 * whoever approves. One that a function makes is no such default, and those of lists and unions only ArkType fills in.
 *
 * @param json - The JSON Schema of `source`; it is changed.
 */
export function addArkTypeDefaults(source: unknown, json: OwnedSchema, depth = 0): void {
  const properties = member(json, 'properties');
  const props = read(source, 'props');
  if (!isJsonObject(properties) || !Array.isArray(props) || depth > MAX_DEPTH) return;
  for (const prop of props) {
    const key = read(prop, 'key');
    const below = typeof key === 'string' ? member(properties, key) : undefined;
    if (!isJsonObject(below)) continue;
    const schema = ownedPart(below);
    const value = read(prop, 'default');
    if (isScalar(value) && !Object.hasOwn(schema, 'default')) schema['default'] = value;
    addArkTypeDefaults(read(prop, 'value'), schema, depth + 1);
  }
}

function isScalar(value: unknown): value is JsonValue {
  return typeof value === 'string' || typeof value === 'boolean' || value === null || Number.isFinite(value);
}

/** A node may throw for what it does not have. */
function read(part: unknown, name: string): unknown {
  if ((typeof part !== 'object' && typeof part !== 'function') || part === null) return undefined;
  try {
    return Reflect.get(part, name);
  } catch {
    return undefined;
  }
}
