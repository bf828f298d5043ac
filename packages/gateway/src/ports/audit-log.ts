import type { Digest, JsonObject } from '@toolgate/core';

/** What the audit speaks about. Closed. */
export const auditKinds = [
  'gateway-start',
  'gateway-stop',
  'config-load',
  'config-refuse',
  'key-create',
  'key-revoke',
  'call-allow',
  'call-refuse',
  'call-end',
  'approval-create',
  'approval-approve',
  'approval-decline',
  'approval-expire',
  'approval-cancel',
  'approval-extend',
  'approval-refuse',
  'approval-consume',
  'contents-read',
  'audit-export',
] as const;

/** A kind of audit entry. */
export type AuditKind = (typeof auditKinds)[number];

/** The actor of what the gateway does by itself. Nobody else may be called so. */
export const SYSTEM_ACTOR = 'system';

/** What is to be recorded: digests, ids and words of closed lists, never contents. */
export interface AuditEntry {
  readonly kind: AuditKind;
  /** Who caused it; `'system'` for the gateway itself. */
  readonly actor: string;
  /** At most 16 KiB of JSON. */
  readonly data: JsonObject;
}

/** One link of the chain. Frozen. */
export interface AuditRecord extends AuditEntry {
  /** 1 for the first one; without gaps. */
  readonly seq: number;
  /** Milliseconds since the epoch, of the gateway that wrote it. */
  readonly at: number;
  /** The `digest` of the record before; sixty-four zeros before the first. */
  readonly previous: Digest;
  /** Over the canonical JSON (RFC 8785) of all other members. */
  readonly digest: Digest;
}

/** How a chain ends: what has to be kept elsewhere for a cut tail to be found. */
export interface AuditHead {
  /** 0 for an empty chain. */
  readonly seq: number;
  readonly digest: Digest;
}

/** Why a record is bad. Closed. */
export type AuditFault =
  /** The line or row is no record. */
  | 'unreadable'
  /** Its contents are not those of its digest. */
  | 'digest'
  /** It does not follow the record before it. */
  | 'previous'
  /** Its number is not the next one: something was taken out, put in or moved. */
  | 'sequence'
  /** The chain is shorter than the head that was kept. */
  | 'truncated'
  /** The record of that number is another than the head that was kept. */
  | 'anchor';

/** What a check of the chain found. */
export type AuditVerdict =
  | { readonly ok: true; readonly head: AuditHead; readonly records: number }
  /** `seq` is the place of the first bad record, counted from the start of the chain. */
  | { readonly ok: false; readonly seq: number; readonly fault: AuditFault };

/** Settings of a check. */
export interface VerifyOptions {
  /** A head that was kept elsewhere; the chain has to contain it. */
  readonly anchor?: AuditHead;
}

/** Settings of one append. */
export interface AppendOptions {
  /**
   * Nobody waits for it: it may wait for others for a twentieth of a second, and is looked at then. Whoever appends it does
   * not change it meanwhile. Default `false`.
   */
  readonly soon?: boolean;
}

/** Writes the audit: append-only, chained by digests, one chain for all gateways on one database. */
export interface AuditLog {
  /**
   * Appends; settles when the record is on the disk. Entries that wait at the same moment share one write. Never
   * dropped: when storage fails, so does this.
   *
   * @throws GatewayError `gateway/entry-invalid`, `gateway/storage-unavailable`, `gateway/closed`.
   */
  append(entry: AuditEntry, options?: AppendOptions): Promise<AuditRecord>;
  /** The last record. */
  head(): Promise<AuditHead>;
  /** All records after `after` in order, read piece by piece. */
  read(after?: number): AsyncIterable<AuditRecord>;
  /** All records as JSON lines, one canonical text with a line feed each. */
  export(after?: number): AsyncIterable<string>;
  /** Reads the whole chain and names its first bad record. */
  verify(options?: VerifyOptions): Promise<AuditVerdict>;
  /** Writes what waits, then refuses. */
  close(): Promise<void>;
}
