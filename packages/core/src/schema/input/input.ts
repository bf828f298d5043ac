import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import type { Issue } from '../schema.ts';

/**
 * A schema of a library: Standard Schema with, as an extension of the same object, Standard JSON Schema
 * (https://standardschema.dev). Zod 4 and ArkType are one as they are, Valibot is wrapped in
 * `toStandardJsonSchema`. Without the extension {@link readInput} refuses it and names the fix.
 */
export interface StandardInput<Value = unknown, Output = Value> {
  readonly '~standard': StandardSchemaV1.Props<Value, Output> &
    Partial<Pick<StandardJSONSchemaV1.Props<Value, Output>, 'jsonSchema'>>;
}

/** What a tool may declare its input with: a library's schema, or a plain JSON Schema (TypeBox makes these). */
export type InputSource = StandardInput | object;

/** Settings of {@link readInput}. */
export interface ReadInputOptions {
  /**
   * Members that the schema does not name. `refuse` closes every object that does not say itself that it is open;
   * `allow` leaves objects as the library describes them. Default: `refuse` for a library's schema, and a plain
   * JSON Schema as it is written.
   */
  readonly unknownMembers?: 'refuse' | 'allow';
}

/** An input declaration that was read: what to advertise and enforce, and the library's own verdict after that. */
export interface Input<Output = unknown> {
  /** The JSON Schema (2020-12 where a library made it). Deeply frozen, nobody else holds it. */
  readonly json: JsonObject;
  /** The library's vendor name. Absent for a plain JSON Schema. */
  readonly library?: string;
  /**
   * The library's own check, to be asked only about values that match `json`. Its value has the library's
   * transforms and defaults. May throw what the library throws. Absent for a plain JSON Schema.
   */
  readonly validate?: (value: JsonValue) => InputVerdict<Output>;
}

/** What a library says about a value. `asynchronous`: it answered with a promise, which nobody may wait for. */
export type InputVerdict<Output = unknown> =
  | { readonly kind: 'valid'; readonly value: Output }
  | { readonly kind: 'invalid'; readonly issues: readonly Issue[] }
  | { readonly kind: 'asynchronous' };
