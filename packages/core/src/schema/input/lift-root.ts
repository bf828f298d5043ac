import { cloneJson } from '../../json/clone-json.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import { isAnnotation } from '../intake/known-keywords.ts';
import type { OwnedSchema } from '../intake/schema-place.ts';
import { member, stringMember } from '../member.ts';
import { readDefinitionPointer } from './definition-pointer.ts';

/** Definitions that may do nothing but refer to another one. */
const MAX_STEPS = 8;

/**
 * Writes the definition that the root of a library's schema only refers to at the root itself: libraries name a schema that
 * refers to itself, or that has an id, and many who read a tool look for its members at the root and nowhere else.
 *
 * @param json - 2020-12; it is changed, and accepts the same.
 */
export function liftRoot(json: OwnedSchema): void {
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const definition = rootDefinition(json);
    if (definition === undefined) return;
    const { $ref: _, $defs: _inner, ...own } = json;
    delete json['$ref'];
    // What stands beside the reference describes this use of it.
    Object.assign(json, cloneJson(definition), own);
  }
}

function rootDefinition(json: OwnedSchema) {
  const pointer = readDefinitionPointer(stringMember(json, '$ref'));
  if (pointer === undefined || pointer.rest !== '') return undefined;
  const says = Object.keys(json).filter((name) => name !== '$ref' && name !== '$defs');
  if (!says.every(isAnnotation)) return undefined;
  const definitions = member(json, '$defs');
  const definition = isJsonObject(definitions) ? member(definitions, pointer.name) : undefined;
  return isJsonObject(definition) && !Object.hasOwn(definition, '$defs') ? definition : undefined;
}
