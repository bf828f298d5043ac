import type { Digest } from '../json/digest.ts';
import type { JsonObject } from '../json/json-value.ts';

/**
 * Arguments that one exact contract admitted. Only `contract.prepare` makes one; it cannot be forged, and a contract
 * with the same name cannot use it.
 */
export declare class Invocation {
  private constructor();
  /** The id of the call as proposed. */
  get callId(): string;
  /** The name of the tool. */
  get name(): string;
  /** The admitted arguments, defaults included, as a value that the caller owns; a new one each time. */
  arguments(): JsonObject;
  /** The same arguments as canonical JSON (RFC 8785). Made on first use. */
  get argumentsText(): string;
  /** The digest of `argumentsText`. Made on first use. */
  get digest(): Digest;
  /** Pointers (RFC 6901) of members that defaults filled in, in document order; empty when none were. */
  get filled(): readonly string[];
}
