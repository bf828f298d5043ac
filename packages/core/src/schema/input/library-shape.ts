import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { member, stringMember } from '../member.ts';

/** Objects inside objects that are compared. */
const maxDepth = 32;

/**
 * What a JSON Schema lost of the members that a library's schema tells of itself, where it lets them be seen: Zod
 * and Valibot by `shape`, `entries` and `options`, ArkType by `props`.
 *
 * @returns A few words, or undefined when nothing is missing or nothing can be seen.
 */
export function lossOf(source: unknown, json: JsonObject): string | undefined {
  return compare(source, json, json, 0);
}

function compare(source: unknown, json: JsonObject, root: JsonObject, depth: number): string | undefined {
  const described = resolve(json, root);
  if (described === undefined || depth > maxDepth) return undefined;
  if (hasBranches(source) && isBareObject(described)) return 'drops the alternatives of a union';
  const shape = shapeOf(source);
  if (shape === undefined) return undefined;
  const properties = member(described, 'properties');
  const advertised = isJsonObject(properties) ? properties : {};
  const kept = [...shape.keys()].filter((name) => Object.hasOwn(advertised, name));
  if (kept.length < shape.size) return `keeps ${kept.length} of the ${shape.size} members of an object`;
  for (const name of kept) {
    const below = member(advertised, name);
    const loss = isJsonObject(below) ? compare(shape.get(name), below, root, depth + 1) : undefined;
    if (loss !== undefined) return loss;
  }
  return undefined;
}

/** The schema itself, or the definition that it only refers to. */
function resolve(json: JsonObject, root: JsonObject): JsonObject | undefined {
  const reference = stringMember(json, '$ref');
  if (reference === undefined) return json;
  const definitions = member(root, '$defs');
  const name = /^#\/\$defs\/([^/~%]+)$/.exec(reference)?.[1];
  const target = name !== undefined && isJsonObject(definitions) ? member(definitions, name) : undefined;
  return isJsonObject(target) && !Object.hasOwn(target, '$ref') ? target : undefined;
}

/** An object schema that says nothing of any member. */
function isBareObject(json: JsonObject): boolean {
  const properties = member(json, 'properties');
  const isEmpty =
    properties === undefined || (isJsonObject(properties) && Object.keys(properties).length === 0);
  return (
    member(json, 'type') === 'object' &&
    isEmpty &&
    !['anyOf', 'oneOf', 'allOf'].some((name) => Object.hasOwn(json, name))
  );
}

function hasBranches(source: unknown): boolean {
  const options = read(source, 'options');
  return (
    Array.isArray(options) &&
    options.length > 0 &&
    options.every((option) => read(option, '~standard') !== undefined)
  );
}

function shapeOf(source: unknown): ReadonlyMap<string, unknown> | undefined {
  for (const name of ['shape', 'entries']) {
    const shape = read(source, name);
    if (typeof shape === 'object' && shape !== null) return new Map(Object.entries(shape));
  }
  const props = read(source, 'props');
  if (!Array.isArray(props)) return undefined;
  const entries = props.map((prop) => [read(prop, 'key'), read(prop, 'value')] as const);
  return new Map(
    entries.filter((entry): entry is readonly [string, unknown] => typeof entry[0] === 'string'),
  );
}

/** A library may throw for a schema that has no such part; then there is nothing to compare. */
function read(source: unknown, name: string): unknown {
  if ((typeof source !== 'object' && typeof source !== 'function') || source === null) return undefined;
  try {
    return Reflect.get(source, name);
  } catch {
    return undefined;
  }
}
