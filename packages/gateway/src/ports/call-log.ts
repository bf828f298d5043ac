import type { Digest, ExecutionClass, JsonValue } from '@toolgate/core';
import type { CallOrigin } from './approval-store.ts';
import type { Page, PageRequest } from './page.ts';

/** What the gateway said to a call. */
export type CallVerdict = 'allowed' | 'refused' | 'observed';

/** One tool call that came by. */
export interface CallEntry {
  /** Unique; from the injected source of ids. */
  readonly id: string;
  /** Milliseconds since the epoch, when it was decided on or, where it runs here, over. */
  readonly at: number;
  readonly requestId: string;
  readonly origin: CallOrigin;
  /** Name of the route or of the mounted server. */
  readonly place: string;
  readonly principal: string;
  readonly keyId: string;
  readonly callId: string;
  readonly tool: string;
  readonly class?: ExecutionClass;
  readonly verdict: CallVerdict;
  /** A word of the closed list of reasons. */
  readonly reason: string;
  /** For audit only, never for a client. */
  readonly detail?: string;
  readonly contractDigest?: Digest;
  readonly argumentsDigest?: Digest;
  readonly argumentsBytes?: number;
  readonly approvalId?: string;
  /** From the proposal until `at`. */
  readonly durationMs?: number;
  /** Stored only where contents are kept. */
  readonly arguments?: string;
  /** Stored only where contents are kept. */
  readonly result?: JsonValue;
}

/** Which calls are listed; every field narrows. */
export interface CallFilter {
  readonly principal?: string;
  readonly place?: string;
  readonly tool?: string;
  readonly verdict?: CallVerdict;
  readonly requestId?: string;
  /** Milliseconds since the epoch; not before. */
  readonly since?: number;
}

/**
 * Keeps what was said about calls. `record` returns at once and never throws: entries are written in batches, and
 * when too many wait, the newest are counted and dropped. What must not be lost belongs into the audit.
 */
export interface CallLog {
  record(entry: CallEntry): void;
  /**
   * What was written, the newest first. A cursor that is none begins at the newest.
   *
   * @throws GatewayError `gateway/storage-unavailable`.
   */
  list(filter?: CallFilter, page?: PageRequest): Promise<Page<CallEntry>>;
  /** @throws GatewayError `gateway/storage-unavailable`. */
  get(id: string): Promise<CallEntry | undefined>;
  /** Entries that were dropped since the start. */
  readonly dropped: number;
  /** Settles when everything recorded so far is written. */
  flush(): Promise<void>;
  /** Writes what waits; nothing is taken any more. */
  close(): Promise<void>;
}
