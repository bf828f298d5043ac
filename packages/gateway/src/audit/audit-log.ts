import { type Clock, systemClock } from '@toolgate/core';
import type { AppendOptions, AuditEntry, AuditLog, AuditRecord, VerifyOptions } from '../ports/audit-log.ts';
import { GatewayError } from '../ports/gateway-error.ts';
import type { Storage } from '../storage/storage.ts';
import { appendSteps } from './append-records.ts';
import { type ChainEntry, checkEntry } from './audit-entry.ts';
import { writeRecord } from './audit-record.ts';
import { readRecords } from './read-records.ts';
import { readStoredHead } from './stored-head.ts';
import { verifyStored } from './verify-stored.ts';

/** What an audit log needs. */
export interface AuditLogConfig {
  readonly storage: Storage;
  readonly clock?: Clock;
}

interface Waiting {
  readonly entry: AuditEntry;
  /** What of it is written; `undefined` until its group is, where nobody waits for it. */
  readonly link: ChainEntry | undefined;
  readonly resolve: (record: AuditRecord) => void;
  readonly reject: (error: unknown) => void;
}

/** Entries that one transaction takes at most. */
const GROUP = 500;
/** How long an entry waits for others when nobody waits for it: SQLite stands still with the whole process meanwhile. */
const SOON_MS = 50;

/** Opens the audit of a database. It does not close the storage. */
export function createAuditLog({ storage, clock = systemClock }: AuditLogConfig): AuditLog {
  const waiting: Waiting[] = [];
  let writing: Promise<void> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** How many of the first in the queue are to be written now. */
  let due = 0;
  let closed = false;

  const schedule = (): void => {
    // The timer is no clock of the gateway's: it decides about nothing but the size of a group.
    if (writing === undefined) timer ??= setTimeout(() => void writeNow(), SOON_MS);
  };
  const writeGroup = async (): Promise<void> => {
    const group: Waiting[] = [];
    const links: ChainEntry[] = [];
    let together = true;
    const taken = waiting.splice(0, GROUP);
    due -= Math.min(due, taken.length);
    for (const each of taken) {
      if (each.link !== undefined) together = false;
      try {
        links.push(each.link ?? checkEntry(each.entry));
        group.push(each);
      } catch (error) {
        each.reject(error);
      }
    }
    if (links.length === 0) return;
    try {
      const records = await storage.writeSteps((kind) => appendSteps(kind, links, clock.now()), { together });
      for (const [index, record] of records.entries()) group[index]?.resolve(record);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };
  const writeAll = async (): Promise<void> => {
    // What is appended while one group is on its way to the disk becomes the next group.
    while (waiting.length > 0 && (due > 0 || waiting.length >= GROUP)) await writeGroup();
    writing = undefined;
    if (waiting.length > 0) schedule();
  };
  const begin = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    // Begins after the current run of microtasks' callers have all appended.
    writing ??= Promise.resolve().then(writeAll);
    return writing;
  };
  const writeNow = async (): Promise<void> => {
    due = waiting.length;
    return begin();
  };
  /** Everything that was appended before a look at the chain is part of it. */
  const flush = async (): Promise<void> => {
    if (waiting.length > 0 || writing !== undefined) await writeNow();
  };

  return Object.freeze({
    append: (entry: AuditEntry, { soon = false }: AppendOptions = {}) =>
      // What is thrown in here rejects the promise.
      new Promise<AuditRecord>((resolve, reject) => {
        // All of a group at once take a fraction of what each by itself does.
        const link = soon ? undefined : checkEntry(entry);
        if (closed) throw new GatewayError('gateway/closed', 'The audit is closed.');
        waiting.push({ entry, link, resolve, reject });
        if (!soon) void writeNow();
        else if (waiting.length < GROUP) schedule();
        else void begin();
      }),
    head: async () => {
      await flush();
      return readStoredHead(storage);
    },
    read: async function* (after = 0) {
      await flush();
      yield* readRecords(storage, after);
    },
    export: async function* (after = 0) {
      await flush();
      yield* exportLines(storage, after);
    },
    verify: async (options: VerifyOptions = {}) => {
      await flush();
      return verifyStored(storage, options);
    },
    close: async () => {
      closed = true;
      await flush();
    },
  });
}

async function* exportLines(storage: Storage, after: number): AsyncGenerator<string> {
  for await (const record of readRecords(storage, after)) yield `${writeRecord(record)}\n`;
}
