import type { JsonObject } from '../json/json-value.ts';
import type { Issue } from '../schema/schema.ts';

/** One thing a validator refuses. Only the message is needed; the root is meant when there is no pointer. */
export type ValidatorIssue = Pick<Issue, 'message'> & Partial<Issue>;

/**
 * The answer of a validator: yes, with the typed value where it makes one, or no, with the reasons, which the model is
 * shown. `asynchronous` is what a library that cannot answer at once says; it counts as a defect.
 */
export type ValidatorVerdict =
  | { readonly kind: 'valid'; readonly value?: unknown }
  | { readonly kind: 'invalid'; readonly issues: readonly ValidatorIssue[] }
  | { readonly kind: 'asynchronous' };

/**
 * Admission rules that a schema cannot express. Runs after the schema accepted the arguments, on a value of its own.
 * It has to be deterministic, bounded and free of effects, must not hold on to a tool, and answers synchronously:
 * checks with I/O belong in the handler. A throw or a promise is a defect of the validator, never a pass.
 */
export type InputValidator = (value: JsonObject) => ValidatorVerdict;
