import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { type OwnedSchema, ownedPart } from '../intake/schema-place.ts';
import { member, stringMember } from '../member.ts';
import { subschemas } from '../subschemas.ts';
import { definitionPointer, readDefinitionPointer } from './definition-pointer.ts';

/**
 * Gives the definitions of a library's schema names that depend on the schema alone: libraries number them as they
 * go, one of them throughout the process. Names that end in a digit are replaced, in the order in which references
 * are met when members are visited by name; definitions that nobody refers to are dropped.
 *
 * @param json - 2020-12, with definitions at the root only; it is changed.
 */
export function canonicaliseDefinitions(json: OwnedSchema): void {
  const definitions = member(json, '$defs');
  if (!isJsonObject(definitions)) return;
  delete json['$defs'];
  const names = new Map<string, string>();
  const referring: OwnedSchema[] = [];
  const waiting: JsonObject[] = [json];
  for (let schema = waiting.pop(); schema !== undefined; schema = waiting.pop()) {
    const name = readDefinitionPointer(stringMember(schema, '$ref'))?.name;
    const definition = name === undefined ? undefined : member(definitions, name);
    if (name !== undefined && definition !== undefined) {
      referring.push(ownedPart(schema));
      if (!names.has(name) && isJsonObject(definition)) waiting.push(definition);
      if (!names.has(name)) names.set(name, /\d$/.test(name) ? `def${names.size + 1}` : name);
    }
    const below = subschemas(schema, '2020-12').toSorted((left, right) => (left.path < right.path ? 1 : -1));
    for (const part of below) if (typeof part.json !== 'boolean') waiting.push(part.json);
  }
  if (names.size === 0) return;
  for (const schema of referring) renameReference(schema, names);
  const entries = Array.from(names, ([before, after]): [string, JsonValue] => [
    after,
    member(definitions, before) ?? true,
  ]);
  json['$defs'] = Object.fromEntries(entries);
}

function renameReference(schema: OwnedSchema, names: ReadonlyMap<string, string>): void {
  const reference = readDefinitionPointer(stringMember(schema, '$ref'));
  const name = reference === undefined ? undefined : names.get(reference.name);
  if (reference !== undefined && name !== undefined) schema['$ref'] = definitionPointer(name, reference.rest);
}
