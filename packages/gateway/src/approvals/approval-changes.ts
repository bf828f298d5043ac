import type { Clock } from '@toolgate/core';
import type { ApprovalListener, ApprovalRecord } from '../ports/approval-store.ts';
import { repeat } from '../storage/repeat.ts';
import type { Storage } from '../storage/storage.ts';
import type { ApprovalTable } from '../storage/tables.ts';
import { toRecord } from './approval-row.ts';

/** What a feed of changes needs. */
export interface ApprovalChangesConfig {
  readonly storage: Storage;
  readonly clock: Clock;
  /** How often changes of other gateways are looked for, in milliseconds. */
  readonly pollMs: number;
  readonly onError: (error: unknown) => void;
}

/** Tells of changes of approvals, whoever made them. */
export interface ApprovalChanges {
  subscribe(listener: ApprovalListener, after?: number): () => void;
  /** Looks now. */
  kick(): void;
  close(): Promise<void>;
}

interface Listener {
  readonly call: ApprovalListener;
  /** The last revision it heard of. */
  position: number;
  /** What it still has to hear of what was before it came: being read, or left over from a read that failed. */
  behind: 'reading' | 'failed' | undefined;
}

/** Rows that are held in memory at once. */
const PAGE = 200;

/**
 * Begins to watch. Revisions are given out while the end of the audit is held, so they become visible in their order
 * and none is overlooked.
 *
 * @throws GatewayError `gateway/storage-unavailable`.
 */
export async function watchApprovals(config: ApprovalChangesConfig): Promise<ApprovalChanges> {
  const { storage, clock, pollMs, onError } = config;
  const listeners = new Set<Listener>();
  let position = await lastRevision(storage);
  let looking: Promise<void> | undefined;
  let again = false;
  let closed = false;

  const tell = (row: ApprovalTable, hearers: Iterable<Listener>): void => {
    let record: ApprovalRecord;
    try {
      record = toRecord(row);
    } catch (error) {
      onError(error);
      return;
    }
    for (const listener of hearers) {
      // Who named a later revision has seen this one in another way.
      if (row.revision <= listener.position) continue;
      listener.position = row.revision;
      try {
        listener.call(record);
      } catch (error) {
        onError(error);
      }
    }
  };

  const look = async (): Promise<void> => {
    do {
      again = false;
      const rows = await changesAfter(storage, position);
      for (const row of rows) {
        position = row.revision;
        tell(
          row,
          [...listeners].filter(({ behind }) => behind === undefined),
        );
      }
      again ||= rows.length === PAGE;
    } while (again && !closed);
  };

  const kick = (): void => {
    again = true;
    if (closed || looking !== undefined) return;
    looking = look()
      .catch(onError)
      .finally(() => {
        looking = undefined;
        // Somebody may have kicked when the look was over and this was not said yet.
        if (again) kick();
      });
  };

  const catchUp = async (listener: Listener): Promise<void> => {
    while (listeners.has(listener) && listener.position < position) {
      const target = position;
      const rows = await changesAfter(storage, listener.position);
      for (const row of rows) tell(row, listeners.has(listener) ? [listener] : []);
      // Rows that were changed in between have moved behind the target, and come with what is read after it.
      if (rows.length < PAGE) listener.position = Math.max(listener.position, target);
      else listener.position = rows.at(-1)?.revision ?? target;
    }
    listener.behind = undefined;
    kick();
  };
  const beginCatchUp = (listener: Listener): void => {
    listener.behind = 'reading';
    catchUp(listener).catch((error: unknown) => {
      // It is tried again with the next look: nobody may go on listening to nothing.
      listener.behind = 'failed';
      onError(error);
    });
  };
  const poll = async (): Promise<void> => {
    for (const listener of listeners) if (listener.behind === 'failed') beginCatchUp(listener);
    kick();
  };

  const polling = repeat(clock, pollMs, poll, onError);

  return Object.freeze({
    subscribe: (call: ApprovalListener, after?: number) => {
      const listener: Listener = { call, position: after ?? position, behind: undefined };
      listeners.add(listener);
      if (listener.position < position) beginCatchUp(listener);
      return () => void listeners.delete(listener);
    },
    kick,
    close: async () => {
      closed = true;
      await polling.stop();
      listeners.clear();
      await looking;
    },
  });
}

async function lastRevision(storage: Storage): Promise<number> {
  const row = await storage.read(async (database) =>
    database
      .selectFrom('toolgate_approvals')
      .select((column) => column.fn.max('revision').as('revision'))
      .executeTakeFirst(),
  );
  return Number(row?.revision ?? 0);
}

async function changesAfter(storage: Storage, revision: number): Promise<readonly ApprovalTable[]> {
  return storage.read(async (database) =>
    database
      .selectFrom('toolgate_approvals')
      .selectAll()
      .where('revision', '>', revision)
      .orderBy('revision')
      .limit(PAGE)
      .execute(),
  );
}
