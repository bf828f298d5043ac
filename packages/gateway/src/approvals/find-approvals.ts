import type { ApprovalFilter, ApprovalRecord, SameCall } from '../ports/approval-store.ts';
import type { Page, PageRequest } from '../ports/page.ts';
import { pageLimit, toPage } from '../storage/page.ts';
import type { Storage } from '../storage/storage.ts';
import type { ApprovalTable } from '../storage/tables.ts';
import { toRecord } from './approval-row.ts';

/** One approval as it is stored. */
export async function findApproval(storage: Storage, id: string): Promise<ApprovalRecord | undefined> {
  const row = await storage.read(async (database) =>
    database.selectFrom('toolgate_approvals').selectAll().where('id', '=', id).executeTakeFirst(),
  );
  return row === undefined ? undefined : toRecord(row);
}

/** The newest live approval of an exact call. */
export async function findSameCall(
  storage: Storage,
  call: SameCall,
  now: number,
): Promise<ApprovalRecord | undefined> {
  const row = await storage.read(async (database) => {
    const query = database
      .selectFrom('toolgate_approvals')
      .selectAll()
      .where('arguments_digest', '=', call.argumentsDigest)
      .where('contract_digest', '=', call.contractDigest)
      .where('tool', '=', call.tool)
      .where('origin', '=', call.origin)
      .where('place', '=', call.place)
      .where('status', 'in', ['pending', 'approved', 'declined'])
      .where('consumed_at', 'is', null)
      .where('expires_at', '>', now)
      .orderBy('created', 'desc')
      .limit(1);
    return (
      call.principal === undefined
        ? query.where('principal', 'is', null)
        : query.where('principal', '=', call.principal)
    ).executeTakeFirst();
  });
  return row === undefined ? undefined : toRecord(row);
}

/** Approvals that fit, newest first. One that cannot be read is left out and reported. */
export async function listApprovals(
  storage: Storage,
  filter: ApprovalFilter,
  page: PageRequest,
  onError: (error: unknown) => void,
): Promise<Page<ApprovalRecord>> {
  const limit = pageLimit(page);
  const before = Number(page.cursor ?? Number.MAX_SAFE_INTEGER);
  const rows = await storage.read(async (database) => {
    let query = database
      .selectFrom('toolgate_approvals')
      .selectAll()
      .where('created', '<', Number.isSafeInteger(before) ? before : 0);
    for (const name of ['status', 'principal', 'tool', 'origin', 'place'] as const) {
      const wanted = filter[name];
      if (wanted !== undefined) query = query.where(name, '=', wanted);
    }
    return query
      .orderBy('created', 'desc')
      .limit(limit + 1)
      .execute();
  });
  const readable = (row: ApprovalTable): readonly ApprovalRecord[] => {
    try {
      return [toRecord(row)];
    } catch (error) {
      onError(error);
      return [];
    }
  };
  return toPage(rows, limit, readable, (row) => String(row.created));
}
