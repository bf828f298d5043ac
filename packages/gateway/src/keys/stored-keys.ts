import { type Clock, type Digest, digest, type JsonObject, readJson, systemClock } from '@toolgate/core';
import { appendRecords } from '../audit/append-records.ts';
import { checkEntry } from '../audit/audit-entry.ts';
import { toGrants } from '../config/to-grants.ts';
import { SYSTEM_ACTOR } from '../ports/audit-log.ts';
import { GatewayError } from '../ports/gateway-error.ts';
import type { CreatedKey, KeyRecord, NewKey } from '../ports/key-ring.ts';
import type { Grants } from '../ports/principal.ts';
import { repeat } from '../storage/repeat.ts';
import type { Storage } from '../storage/storage.ts';
import type { KeyTable } from '../storage/tables.ts';
import { keyDigest, newKey } from './key-text.ts';

/** A key as it is stored. */
export interface StoredKey {
  readonly record: KeyRecord;
  readonly digest: Digest;
}

/** The keys that were made through the admin API; they outlive configurations. */
export interface StoredKeys {
  /** All of them, revoked ones too, as last read; a new array after each change. */
  all(): readonly StoredKey[];
  /**
   * Makes a key and its record in the audit, both or neither. The key itself is given here and never again.
   *
   * @throws GatewayError `gateway/storage-unavailable`.
   */
  create(key: NewKey): Promise<CreatedKey>;
  /**
   * Ends a key here at once, and at other gateways with their next reading.
   *
   * @param by - Who does it, for the audit.
   * @returns `false` for a key that is not there or was revoked before.
   * @throws GatewayError `gateway/storage-unavailable`.
   */
  revoke(id: string, by: string): Promise<boolean>;
  /** Reads the keys now. */
  refresh(): Promise<void>;
  /** Reads them no more. */
  close(): Promise<void>;
}

/** What stored keys need. */
export interface StoredKeysConfig {
  readonly storage: Storage;
  readonly clock?: Clock;
  /** How often they are read again, in milliseconds: how long a key that another gateway revoked still works. Default 2,000. */
  readonly refreshMs?: number;
  /** Hears of faults that nobody waits for. */
  readonly onError?: (error: unknown) => void;
}

/** A row, and the key in it: none where it cannot be read. */
interface ReadRow {
  readonly row: KeyTable;
  readonly keys: readonly StoredKey[];
}

const MAX_PRINCIPAL_LENGTH = 128;
/** What the audit does not take as the name of who did something. */
const CONTROL = /\p{Cc}/u;
/** Grants that are longer are in the audit by their digest. */
const MAX_AUDITED_LENGTH = 4_096;

/**
 * Opens the keys of a database. It does not close the storage.
 *
 * @throws GatewayError `gateway/storage-unavailable`.
 */
export async function openStoredKeys(config: StoredKeysConfig): Promise<StoredKeys> {
  const { storage, clock = systemClock, refreshMs = 2_000, onError = () => undefined } = config;
  let keys: readonly StoredKey[] = [];
  let known: ReadonlyMap<string, ReadRow> = new Map();
  let reading = 0;
  let taken = 0;

  const readRow = (row: KeyTable): readonly StoredKey[] => {
    try {
      return [toStoredKey(row)];
    } catch (error) {
      // A key that cannot be read opens nothing, and does not keep the others from being read.
      onError(error);
      return [];
    }
  };
  /** What did not change is not read again: there may be thousands, and this happens all the time. */
  const take = (rows: readonly KeyTable[]): void => {
    const next = new Map(
      rows.map((row) => {
        const before = known.get(row.id);
        const same = before !== undefined && isSame(before.row, row);
        return [row.id, same ? before : { row, keys: readRow(row) }];
      }),
    );
    if (next.size === known.size && [...next].every(([id, one]) => known.get(id) === one)) return;
    known = next;
    keys = Object.freeze([...next.values()].flatMap((one) => one.keys));
  };
  const refresh = async (): Promise<void> => {
    reading += 1;
    const turn = reading;
    const rows = await storage.read(async (database) =>
      database.selectFrom('toolgate_keys').selectAll().orderBy('created_at').orderBy('id').execute(),
    );
    // One that began later knows more.
    if (turn < taken) return;
    taken = turn;
    take(rows);
  };
  await refresh();
  const refreshing = repeat(clock, refreshMs, refresh, onError);

  return Object.freeze({
    all: () => keys,
    create: async ({ principal, grants, by }: NewKey) => {
      const { id, key } = newKey();
      const row = toRow(id, keyDigest(key), principal, toGrants(grants ?? {}), by, clock.now());
      const entry = checkEntry({
        kind: 'key-create',
        actor: by,
        data: { key: id, principal, ...granted(row) },
      });
      await storage.write(async (transaction) => {
        await transaction.insertInto('toolgate_keys').values(row).execute();
        await appendRecords(transaction, [entry], clock.now());
      });
      await refresh();
      return Object.freeze({ key, record: toStoredKey(row).record });
    },
    revoke: async (id: string, by: string) => {
      const entry = checkEntry({ kind: 'key-revoke', actor: by, data: { key: id } });
      const revoked = await storage.write(async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable('toolgate_keys')
          .set({ revoked_at: clock.now(), revoked_by: by })
          .where('id', '=', id)
          .where('revoked_at', 'is', null)
          .executeTakeFirst();
        if (numUpdatedRows !== 1n) return false;
        await appendRecords(transaction, [entry], clock.now());
        return true;
      });
      await refresh();
      return revoked;
    },
    refresh,
    close: async () => refreshing.stop(),
  });
}

function isSame(one: KeyTable, other: KeyTable): boolean {
  const names = Object.keys(other) as readonly (keyof KeyTable)[];
  return names.every((name) => one[name] === other[name]);
}

function granted({ grants }: KeyTable): JsonObject {
  const value = readJson(grants, { maxBytes: 'none' });
  return grants.length > MAX_AUDITED_LENGTH ? { grantsDigest: digest(value) } : { grants: value };
}

function toRow(
  id: string,
  keyDigestText: Digest,
  principal: string,
  grants: Grants,
  by: string,
  now: number,
): KeyTable {
  const named = typeof principal === 'string' && principal !== '' && !CONTROL.test(principal);
  if (!named || principal.length > MAX_PRINCIPAL_LENGTH || !principal.isWellFormed()) {
    throw new GatewayError(
      'gateway/entry-invalid',
      `A principal is a text of 1 to ${MAX_PRINCIPAL_LENGTH} characters without controls.`,
    );
  }
  if (principal === SYSTEM_ACTOR) {
    throw new GatewayError('gateway/entry-invalid', 'In the audit that name stands for the gateway itself.');
  }
  return {
    id,
    principal,
    digest: keyDigestText,
    grants: JSON.stringify(grants),
    created_at: now,
    created_by: by,
    revoked_at: null,
    revoked_by: null,
  };
}

function toStoredKey(row: KeyTable): StoredKey {
  const grants = toGrants(readJson(row.grants, { maxBytes: 'none' }) as Partial<Grants>);
  const record: KeyRecord = Object.freeze({
    id: row.id,
    principal: row.principal,
    origin: 'stored',
    grants,
    createdAt: row.created_at,
    createdBy: row.created_by,
    ...(row.revoked_at === null ? {} : { revokedAt: row.revoked_at }),
    ...(row.revoked_by === null ? {} : { revokedBy: row.revoked_by }),
  });
  return Object.freeze({ record, digest: row.digest as Digest });
}
