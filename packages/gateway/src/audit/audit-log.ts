import { type Clock, systemClock } from '@toolgate/core';
import type { AuditEntry, AuditHead, AuditLog, AuditRecord, VerifyOptions } from '../ports/audit-log.ts';
import { GatewayError } from '../ports/gateway-error.ts';
import type { Storage } from '../storage/storage.ts';
import { appendRecords, readHead } from './append-records.ts';
import { checkEntry, writeRecord } from './audit-record.ts';
import { readRecords } from './read-records.ts';
import { verifyStored } from './verify-stored.ts';

/** What an audit log needs. */
export interface AuditLogConfig {
  readonly storage: Storage;
  readonly clock?: Clock;
}

interface Waiting {
  readonly entry: AuditEntry;
  readonly resolve: (record: AuditRecord) => void;
  readonly reject: (error: unknown) => void;
}

/** Entries that one transaction takes at most. */
const GROUP = 500;

/** Opens the audit of a database. It does not close the storage. */
export function createAuditLog({ storage, clock = systemClock }: AuditLogConfig): AuditLog {
  const waiting: Waiting[] = [];
  let writing: Promise<void> | undefined;
  let closed = false;

  const writeAll = async (): Promise<void> => {
    // What is appended while one group is on its way to the disk becomes the next group.
    for (let group = waiting.splice(0, GROUP); group.length > 0; group = waiting.splice(0, GROUP)) {
      const entries = group.map(({ entry }) => entry);
      try {
        const records = await storage.write(async (transaction) =>
          appendRecords(transaction, entries, clock.now()),
        );
        for (const [index, record] of records.entries()) group[index]?.resolve(record);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    writing = undefined;
  };

  return Object.freeze({
    append: async (entry: AuditEntry) => {
      const checked = checkEntry(entry);
      if (closed) throw new GatewayError('gateway/closed', 'The audit is closed.');
      return new Promise<AuditRecord>((resolve, reject) => {
        waiting.push({ entry: checked, resolve, reject });
        // Begins after the current run of microtasks' callers have all appended.
        writing ??= Promise.resolve().then(writeAll);
      });
    },
    head: async () => readStoredHead(storage),
    read: (after = 0) => readRecords(storage, after),
    export: (after = 0) => exportLines(storage, after),
    verify: async (options: VerifyOptions = {}) => verifyStored(storage, options),
    close: async () => {
      closed = true;
      await writing;
    },
  });
}

async function readStoredHead(storage: Storage): Promise<AuditHead> {
  return readHead(
    await storage.read(async (database) =>
      database
        .selectFrom('toolgate_audit_head')
        .select(['seq', 'digest'])
        .where('id', '=', 1)
        .executeTakeFirst(),
    ),
  );
}

async function* exportLines(storage: Storage, after: number): AsyncGenerator<string> {
  for await (const record of readRecords(storage, after)) yield `${writeRecord(record)}\n`;
}
