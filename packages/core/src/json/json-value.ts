/** A JSON scalar. Numbers are finite doubles. */
export type JsonScalar = string | number | boolean | null;

/** A JSON array. */
export type JsonArray = readonly JsonValue[];

/** A JSON object; only own, enumerable, string-named members count. */
export interface JsonObject {
  readonly [name: string]: JsonValue;
}

/** Any value that one JSON text can carry. */
export type JsonValue = JsonScalar | JsonArray | JsonObject;
