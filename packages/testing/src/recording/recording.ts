import type { JsonObject } from '@toolgate/core';
import type { ModelErrorCode, ModelEvent } from '@toolgate/model';

/** How an answer ended that did not come to its terminal event. */
export type RecordedEnd =
  /** The model threw. */
  | {
      readonly kind: 'error';
      readonly code: ModelErrorCode;
      readonly message: string;
      readonly status?: number;
      readonly requestId?: string;
    }
  /** Nobody asked for more. */
  | { readonly kind: 'left' };

/** One request and what came of it. */
export interface RecordedTurn {
  /** The `ModelCall` as JSON, redacted. */
  readonly request: JsonObject;
  readonly events: readonly ModelEvent[];
  readonly end?: RecordedEnd;
}

/** The conversation of one model, as plain JSON. */
export interface Recording {
  readonly version: 1;
  /** The id of the model that was recorded. */
  readonly model: string;
  readonly capabilities: readonly string[];
  readonly turns: readonly RecordedTurn[];
}

/** Takes out of a text what nobody shall find in a recording. */
export type Redact = (text: string) => string;
