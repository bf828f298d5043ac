import { JsonError } from '@toolgate/core';
import { ModelError } from '@toolgate/model';

/** An answer that is not a success. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  /** Whether the script did not expect the request: a fault of the test, not of the wire. */
  readonly unexpected?: boolean;
}

/** What a provider answers for an error. */
export function toRefusal(error: unknown): Refusal {
  if (ModelError.is(error)) return { status: error.status ?? 400, message: error.message };
  if (JsonError.is(error)) return { status: 400, message: error.message };
  const message = error instanceof Error ? error.message : 'The provider failed.';
  return { status: 400, message, unexpected: true };
}
