import { cloneJson } from '../../json/clone-json.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';

/** A subschema that intake owns and may change. */
export type OwnedSchema = Record<string, JsonValue>;

/** One subschema during intake. */
export interface SchemaPlace {
  readonly json: OwnedSchema;
  readonly parent: SchemaPlace | undefined;
  /** From the parent to here, in the schema as it becomes (RFC 6901). */
  readonly path: string;
  /** The same, in the schema as written. */
  readonly writtenPath: string;
  /** The place whose `$id` gives this one its base; the root has itself. */
  readonly resource: SchemaPlace | undefined;
  readonly depth: number;
}

/** A copy of a schema that may be changed. */
export function ownedCopy(json: JsonObject): OwnedSchema {
  return cloneJson(json) as OwnedSchema;
}

/** A subschema inside an owned schema; it is owned with it. */
export function ownedPart(json: JsonObject): OwnedSchema {
  return json as OwnedSchema;
}

/** Where a place stands in the schema as written. */
export function writtenPointer(place: SchemaPlace): string {
  return pointerAlong(place, (at) => at.writtenPath);
}

/** Where a place stands in the schema as it becomes, seen from its document's root. */
export function normalPointer(place: SchemaPlace): string {
  return pointerAlong(place, (at) => at.path);
}

function pointerAlong(place: SchemaPlace, step: (at: SchemaPlace) => string): string {
  const steps: string[] = [];
  for (let at: SchemaPlace | undefined = place; at !== undefined; at = at.parent) steps.push(step(at));
  return steps.toReversed().join('');
}
