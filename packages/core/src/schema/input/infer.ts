import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import type { FromJsonSchema } from './from-json-schema.ts';

type StandardTypes<Source> = Source extends { readonly '~standard': { readonly types?: infer Types } }
  ? NonNullable<Types>
  : never;

// Tool input is an object, whatever a schema without a literal type leaves open.
type Plain<Source> = [JsonValue] extends [FromJsonSchema<Source>] ? JsonObject : FromJsonSchema<Source>;

/** What a model has to send: the library's input type, or what the JSON Schema literal describes. */
export type InferInput<Source> = Source extends { readonly '~standard': object }
  ? StandardTypes<Source> extends { readonly input: infer Type }
    ? Type
    : unknown
  : Plain<Source>;

/** What a handler receives: the library's output type (defaults filled, transformed), or as {@link InferInput}. */
export type InferOutput<Source> = Source extends { readonly '~standard': object }
  ? StandardTypes<Source> extends { readonly output: infer Type }
    ? Type
    : unknown
  : Plain<Source>;
