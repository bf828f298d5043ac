import type { JsonObject } from '../json/json-value.ts';

/** One thing an input validator refuses, for the model. */
export interface InputIssue {
  /** Where in the arguments (RFC 6901); the empty string is the root. Default: the root. */
  readonly pointer?: string;
  /** One short sentence on what to change; shown to the model. */
  readonly message: string;
}

/** The answer of an input validator: yes, with the typed value if it makes one, or no, with the reasons. */
export type InputVerdict =
  | { readonly ok: true; readonly value?: unknown }
  | { readonly ok: false; readonly issues: readonly InputIssue[] };

/**
 * Admission rules that a schema cannot express. Runs after the schema accepted the arguments, on a value of its own.
 * It has to be deterministic, bounded and free of effects, must not hold on to a tool, and answers synchronously:
 * checks with I/O belong in the handler. A throw or a promise is a defect of the validator, never a pass.
 */
export type InputValidator = (value: JsonObject) => InputVerdict;
