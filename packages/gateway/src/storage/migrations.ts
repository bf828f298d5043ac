import type { Digest } from '@toolgate/core';
import { type Kysely, type Migration, sql } from 'kysely';
import type { StorageKind } from './storage-kind.ts';

/** What the first record of the audit names as the digest of the one before. */
export const CHAIN_START: Digest = `sha256:${'0'.repeat(64)}`;

/** Makes the database itself refuse to change or delete what was recorded. */
async function protectAudit(database: Kysely<unknown>, kind: StorageKind): Promise<void> {
  if (kind === 'sqlite') {
    for (const action of ['update', 'delete']) {
      await sql`create trigger ${sql.raw(`toolgate_audit_no_${action}`)} before ${sql.raw(action)} on toolgate_audit
        begin select raise(abort, 'the audit is append-only'); end`.execute(database);
    }
    return;
  }
  await sql`create function toolgate_audit_refuse() returns trigger language plpgsql as $$
    begin raise exception 'the audit is append-only'; end $$`.execute(database);
  await sql`create trigger toolgate_audit_append_only before update or delete or truncate on toolgate_audit
    for each statement execute function toolgate_audit_refuse()`.execute(database);
}

/** The tables of the first edition. */
function first(kind: StorageKind): Migration {
  return {
    async up(database: Kysely<unknown>) {
      const { schema } = database;
      await schema
        .createTable('toolgate_audit')
        .addColumn('seq', 'bigint', (column) => column.primaryKey())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('actor', 'text', (column) => column.notNull())
        .addColumn('data', 'text', (column) => column.notNull())
        .addColumn('previous', 'text', (column) => column.notNull())
        .addColumn('digest', 'text', (column) => column.notNull())
        .execute();
      // Whether an approval was used is asked each time that one is.
      await sql`create index toolgate_audit_consumed on toolgate_audit (seq) where kind = 'approval-consume'`.execute(
        database,
      );
      await protectAudit(database, kind);
      await schema
        .createTable('toolgate_audit_head')
        .addColumn('id', 'integer', (column) => column.primaryKey())
        .addColumn('seq', 'bigint', (column) => column.notNull())
        .addColumn('digest', 'text', (column) => column.notNull())
        .execute();
      await sql`insert into toolgate_audit_head (id, seq, digest) values (1, 0, ${CHAIN_START})`.execute(
        database,
      );
      await schema
        .createTable('toolgate_approvals')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('status', 'text', (column) => column.notNull())
        .addColumn('origin', 'text', (column) => column.notNull())
        .addColumn('place', 'text', (column) => column.notNull())
        .addColumn('key_id', 'text', (column) => column.notNull())
        .addColumn('request_id', 'text')
        .addColumn('principal', 'text')
        .addColumn('call_id', 'text', (column) => column.notNull())
        .addColumn('tool', 'text', (column) => column.notNull())
        .addColumn('class', 'text', (column) => column.notNull())
        .addColumn('contract_digest', 'text', (column) => column.notNull())
        .addColumn('arguments_digest', 'text', (column) => column.notNull())
        .addColumn('requested_at', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .addColumn('why', 'text')
        .addColumn('request', 'text')
        .addColumn('definition', 'text')
        .addColumn('settled_by', 'text')
        .addColumn('settled_at', 'bigint')
        .addColumn('reason', 'text')
        .addColumn('edited', 'text')
        .addColumn('edited_digest', 'text')
        .addColumn('consumed_at', 'bigint')
        .addColumn('created', 'bigint', (column) => column.notNull().unique())
        .addColumn('revision', 'bigint', (column) => column.notNull().unique())
        .execute();
      await index(database, 'approvals', 'overdue', ['status', 'expires_at']);
      await index(database, 'approvals', 'same', ['arguments_digest', 'created']);
      await schema
        .createTable('toolgate_keys')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('principal', 'text', (column) => column.notNull())
        .addColumn('digest', 'text', (column) => column.notNull().unique())
        .addColumn('grants', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('created_by', 'text', (column) => column.notNull())
        .addColumn('revoked_at', 'bigint')
        .addColumn('revoked_by', 'text')
        .execute();
      await schema
        .createTable('toolgate_calls')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .addColumn('principal', 'text', (column) => column.notNull())
        .addColumn('place', 'text', (column) => column.notNull())
        .addColumn('tool', 'text', (column) => column.notNull())
        .addColumn('verdict', 'text', (column) => column.notNull())
        .addColumn('request_id', 'text', (column) => column.notNull())
        .addColumn('entry', 'text', (column) => column.notNull())
        .addColumn('contents', 'text')
        .execute();
      await index(database, 'calls', 'newest', ['at', 'id']);
      await index(database, 'calls', 'request', ['request_id']);
      await schema
        .createTable('toolgate_traffic')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .addColumn('principal', 'text')
        .addColumn('route', 'text')
        .addColumn('surface', 'text', (column) => column.notNull())
        .addColumn('entry', 'text', (column) => column.notNull())
        .addColumn('contents', 'text')
        .execute();
      await index(database, 'traffic', 'newest', ['at', 'id']);
    },
  };
}

/** Who asks is looked up each time that a call is put before somebody, among all that wait and all of a month. */
const approvalsOfWhom: Migration = {
  async up(database: Kysely<unknown>) {
    await index(database, 'approvals', 'principal', ['status', 'principal', 'created']);
    await index(database, 'approvals', 'tool', ['status', 'tool', 'principal', 'created']);
  },
};

/** Nobody ever wrote what was in it: requests are kept without contents. */
const trafficWithoutContents: Migration = {
  async up(database: Kysely<unknown>) {
    await database.schema.alterTable('toolgate_traffic').dropColumn('contents').execute();
  },
};

async function index(
  database: Kysely<unknown>,
  table: string,
  name: string,
  columns: readonly string[],
): Promise<void> {
  await database.schema
    .createIndex(`toolgate_${table}_${name}`)
    .on(`toolgate_${table}`)
    .columns([...columns])
    .execute();
}

/** All steps from an empty database to the present one, by name; they run in order of their names. */
export function migrations(kind: StorageKind): Record<string, Migration> {
  return {
    '0001-first-edition': first(kind),
    '0002-approvals-of-whom': approvalsOfWhom,
    '0003-traffic-without-contents': trafficWithoutContents,
  };
}
