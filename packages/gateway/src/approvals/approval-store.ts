import { setMaxListeners } from 'node:events';
import { type Clock, systemClock } from '@toolgate/core';
import { appendRecords, lockHead } from '../audit/append-records.ts';
import type {
  ApprovalFilter,
  ApprovalListener,
  ApprovalPageRequest,
  ApprovalRecord,
  ApprovalStore,
  DecideResult,
  Decision,
  NewApproval,
  SameCall,
} from '../ports/approval-store.ts';
import { GatewayError } from '../ports/gateway-error.ts';
import { repeat } from '../storage/repeat.ts';
import type { Storage } from '../storage/storage.ts';
import { isDuplicate } from '../storage/storage-fault.ts';
import { NO_EXPIRY } from '../storage/tables.ts';
import { watchApprovals } from './approval-changes.ts';
import { approvalEntry } from './approval-entry.ts';
import { toRecord } from './approval-row.ts';
import { changeApproval, expiry, isOverdue } from './change-approval.ts';
import { checkApproval, checkDecision, checkName } from './check-approval.ts';
import { decideApproval } from './decide-approval.ts';
import { findApproval, findSameCall, listApprovals } from './find-approvals.ts';
import { expireOverdue, sweepApprovals } from './sweep-approvals.ts';
import { waitForApproval } from './wait-for-approval.ts';

/** What an approval store needs. */
export interface ApprovalStoreConfig {
  readonly storage: Storage;
  readonly clock?: Clock;
  /** How often changes of other gateways are looked for, in milliseconds. Default 500. */
  readonly pollMs?: number;
  /** How often overdue approvals are settled, in milliseconds. Default 10,000. */
  readonly sweepMs?: number;
  /** How long arguments are kept after an approval is over, in milliseconds. Default one hour. */
  readonly contentsMs?: number;
  /** How long approvals that are over are kept, in milliseconds. Default 30 days. */
  readonly retentionMs?: number;
  /** Hears of faults that nobody waits for. */
  readonly onError?: (error: unknown) => void;
}

const HOUR_MS = 3_600_000;
const MONTH_MS = 30 * 24 * HOUR_MS;

/**
 * Opens the approvals of a database. It does not close the storage.
 *
 * @throws GatewayError `gateway/storage-unavailable`.
 */
export async function createApprovalStore(config: ApprovalStoreConfig): Promise<ApprovalStore> {
  const { storage, clock = systemClock, pollMs = 500, sweepMs = 10_000 } = config;
  const { contentsMs = HOUR_MS, retentionMs = MONTH_MS, onError = () => undefined } = config;
  const changes = await watchApprovals({ storage, clock, pollMs, onError });
  const stop = new AbortController();
  // Each wait listens to it, and hundreds may wait: Node.js would take the eleventh for a leak, and say so.
  setMaxListeners(0, stop.signal);
  const open = (): void => {
    if (stop.signal.aborted) throw new GatewayError('gateway/closed', 'The approvals are closed.');
  };

  const expire = async (id: string): Promise<void> => {
    const now = clock.now();
    const done = await changeApproval(storage, id, now, (record) => expiry(record, now));
    if (done?.changed === true) changes.kick();
  };
  const settleOverdue = async (): Promise<void> => {
    if (await expireOverdue(storage, clock.now(), onError)) changes.kick();
  };
  const sweep = async (): Promise<void> => {
    open();
    await settleOverdue();
    await sweepApprovals({ storage, now: clock.now(), contentsMs, retentionMs });
  };
  const get = async (id: string): Promise<ApprovalRecord | undefined> => {
    open();
    const record = await findApproval(storage, id);
    if (record === undefined || expiry(record, clock.now()) === undefined) return record;
    await expire(id);
    return findApproval(storage, id);
  };

  const sweeping = repeat(clock, sweepMs, sweep, onError);

  return Object.freeze({
    create: async (approval: NewApproval) => {
      open();
      const record = await insert(storage, approval, clock.now());
      changes.kick();
      return record;
    },
    decide: async (id: string, decision: Decision): Promise<DecideResult> => {
      open();
      checkDecision(decision);
      const result = await decideApproval(storage, id, decision, clock.now());
      changes.kick();
      return result;
    },
    cancel: async (id: string, why: string) => {
      open();
      const now = clock.now();
      const done = await changeApproval(storage, id, now, (record) => {
        if (record.status !== 'pending') return undefined;
        const set = { status: 'cancelled', settled_by: 'system', settled_at: now, reason: why };
        return expiry(record, now) ?? { kind: 'approval-cancel', actor: 'system', set };
      });
      changes.kick();
      return done?.changed === true && done.record.status === 'cancelled';
    },
    extend: async (id: string, expiresAt: number, by: string) => {
      open();
      checkName(by);
      const now = clock.now();
      const done = await changeApproval(storage, id, now, (record) => {
        const { expiresAt: before, request } = record;
        if (record.status !== 'pending' || before === 'none') return undefined;
        const readable = Number.isSafeInteger(expiresAt) && expiresAt < NO_EXPIRY;
        const longer = readable && expiresAt > before && !isOverdue(record, now);
        const changed = JSON.stringify({ ...request, expiresAt });
        if (!longer) return expiry(record, now);
        return { kind: 'approval-extend', actor: by, set: { expires_at: expiresAt, request: changed } };
      });
      changes.kick();
      return done?.record.status === 'pending' ? done.record : undefined;
    },
    consume: async (id: string) => {
      open();
      const now = clock.now();
      const done = await changeApproval(storage, id, now, (record) => {
        if (record.status !== 'approved' || record.consumedAt !== undefined || isOverdue(record, now))
          return undefined;
        return { kind: 'approval-consume', actor: 'system', set: { consumed_at: now } };
      });
      changes.kick();
      return done?.changed === true;
    },
    wait: async (id: string, signal?: AbortSignal) => {
      open();
      return waitForApproval({ id, get, expire, changes, clock, closed: stop.signal }, signal);
    },
    get,
    findSame: async (call: SameCall) => {
      open();
      return findSameCall(storage, call, clock.now());
    },
    list: async (filter: ApprovalFilter = {}, page: ApprovalPageRequest = {}) => {
      open();
      await settleOverdue();
      return listApprovals(storage, filter, page, onError);
    },
    subscribe: (listener: ApprovalListener, after?: number) => changes.subscribe(listener, after),
    sweep,
    close: async () => {
      stop.abort(new GatewayError('gateway/closed', 'The approvals are closed.'));
      await sweeping.stop();
      await changes.close();
    },
  });
}

async function insert(storage: Storage, approval: NewApproval, now: number): Promise<ApprovalRecord> {
  // Checked once before the database is held.
  checkApproval(approval, 1);
  return storage.write(async (transaction) => {
    const head = await lockHead(transaction);
    const row = checkApproval(approval, head.seq + 1);
    try {
      await transaction.insertInto('toolgate_approvals').values(row).execute();
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      throw new GatewayError('gateway/approval-exists', 'There is an approval of that id.', { cause: error });
    }
    const entry = approvalEntry('approval-create', row.principal ?? row.key_id, row);
    await appendRecords(transaction, [entry], now);
    return toRecord(row);
  });
}
