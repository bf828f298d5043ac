import type {
  ApprovalFilter,
  ApprovalPageRequest,
  ApprovalRecord,
  SameCall,
} from '../ports/approval-store.ts';
import type { Page } from '../ports/page.ts';
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
      .where('class', '=', call.class)
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

/** What says what is asked for, word for word. */
const CONTENTS = ['request', 'definition', 'edited'] as const;
const FACTS = [
  'id',
  'status',
  'origin',
  'place',
  'key_id',
  'request_id',
  'principal',
  'call_id',
  'tool',
  'class',
  'contract_digest',
  'arguments_digest',
  'requested_at',
  'expires_at',
  'why',
  'settled_by',
  'settled_at',
  'reason',
  'edited_digest',
  'consumed_at',
  'created',
  'revision',
] as const satisfies readonly (keyof ApprovalTable)[];

type Contents = (typeof CONTENTS)[number];
type FactsRow = Omit<ApprovalTable, Contents> & Partial<Pick<ApprovalTable, Contents>>;

/** Approvals that fit, newest first. One that cannot be read is left out and reported. */
export async function listApprovals(
  storage: Storage,
  filter: ApprovalFilter,
  page: ApprovalPageRequest,
  onError: (error: unknown) => void,
): Promise<Page<ApprovalRecord>> {
  const limit = pageLimit(page);
  const before = Number(page.cursor ?? Number.MAX_SAFE_INTEGER);
  const rows = await storage.read(async (database) => {
    let query = database
      .selectFrom('toolgate_approvals')
      .select(FACTS)
      .$if(page.contents !== false, (whole) => whole.select(CONTENTS))
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
  const readable = (row: FactsRow): readonly ApprovalRecord[] => {
    try {
      return [toRecord({ request: null, definition: null, edited: null, ...row })];
    } catch (error) {
      onError(error);
      return [];
    }
  };
  return toPage(rows, limit, readable, (row) => String(row.created));
}
