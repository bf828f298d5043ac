import type { Kysely, Transaction } from 'kysely';

/** One record of the audit; rows are only ever inserted. */
export interface AuditTable {
  readonly seq: number;
  readonly at: number;
  readonly kind: string;
  readonly actor: string;
  /** Canonical JSON. */
  readonly data: string;
  readonly previous: string;
  readonly digest: string;
}

/** The one row that says how the audit ends. Whoever appends changes it first, which makes all others wait. */
export interface AuditHeadTable {
  readonly id: number;
  readonly seq: number;
  readonly digest: string;
}

/** One approval. */
export interface ApprovalTable {
  readonly id: string;
  readonly status: string;
  readonly origin: string;
  readonly place: string;
  readonly key_id: string;
  readonly request_id: string | null;
  readonly principal: string | null;
  readonly call_id: string;
  readonly tool: string;
  readonly class: string;
  readonly contract_digest: string;
  readonly arguments_digest: string;
  readonly requested_at: number;
  /** {@link NO_EXPIRY} where there is none, so that nothing unreadable looks like it. */
  readonly expires_at: number;
  readonly why: string | null;
  readonly request: string | null;
  readonly definition: string | null;
  readonly settled_by: string | null;
  readonly settled_at: number | null;
  readonly reason: string | null;
  readonly edited: string | null;
  readonly edited_digest: string | null;
  readonly consumed_at: number | null;
  /** `seq` of the audit record of its creation. */
  readonly created: number;
  /** `seq` of the audit record of its last change. */
  readonly revision: number;
}

/** Stands for an approval without expiry. */
export const NO_EXPIRY: number = Number.MAX_SAFE_INTEGER;

/** One key that was made through the admin API. */
export interface KeyTable {
  readonly id: string;
  readonly principal: string;
  readonly digest: string;
  /** JSON. */
  readonly grants: string;
  readonly created_at: number;
  readonly created_by: string;
  readonly revoked_at: number | null;
  readonly revoked_by: string | null;
}

/** One tool call that came by; what is searched for has a column, the whole entry is JSON. */
export interface CallTable {
  readonly id: string;
  readonly at: number;
  readonly principal: string;
  readonly place: string;
  readonly tool: string;
  readonly verdict: string;
  readonly request_id: string;
  readonly entry: string;
  /** Contents, where they are kept. */
  readonly contents: string | null;
}

/** One request; what is searched for has a column, the whole entry is JSON. */
export interface TrafficTable {
  readonly id: string;
  readonly at: number;
  readonly principal: string | null;
  readonly route: string | null;
  readonly surface: string;
  readonly entry: string;
}

/** All tables; each name says whose it is, because PostgreSQL databases are shared. */
export interface Tables {
  readonly toolgate_audit: AuditTable;
  readonly toolgate_audit_head: AuditHeadTable;
  readonly toolgate_approvals: ApprovalTable;
  readonly toolgate_keys: KeyTable;
  readonly toolgate_calls: CallTable;
  readonly toolgate_traffic: TrafficTable;
}

/** A database with the tables of the gateway. */
export type Database = Kysely<Tables>;

/** One transaction on it. */
export type Write = Transaction<Tables>;
