import type { JsonError } from '../json/json-error.ts';
import type { Issue } from '../schema/schema.ts';

/**
 * Why a proposal was not admitted. All but `tool_unavailable` make an `invalid` outcome; a name that is not the
 * contract's own gets the one answer that unknown and hidden tools get.
 */
export type CallRefusalReason =
  | 'tool_unavailable'
  | 'call_id_invalid'
  | 'call_incomplete'
  | 'arguments_malformed'
  | 'arguments_too_large'
  | 'arguments_too_deep'
  | 'arguments_not_object'
  | 'arguments_rejected'
  | 'validator_defect';

/** A proposal that was not admitted. Frozen plain data. */
export interface CallRefusal {
  readonly reason: CallRefusalReason;
  /** What the model may be told: what is wrong and where; bounded, without long values or control characters. */
  readonly text: string;
  /** What the schema or the validator refused; present with `arguments_rejected`. */
  readonly issues?: readonly Issue[];
  /** Why the text could not be read, with offset and pointer. Not enumerable. */
  readonly jsonError?: JsonError;
  /** What a validator threw, for diagnosis. Not enumerable. */
  readonly cause?: unknown;
}
