import type { JsonErrorCode } from './json-error-code.ts';

/** A fault of a text, before its place was worked out. */
export interface JsonFault {
  readonly code: JsonErrorCode;
  /** In UTF-16 units. */
  readonly offset: number;
  /** What would have been right here, in our own words. */
  readonly expected?: string;
}
