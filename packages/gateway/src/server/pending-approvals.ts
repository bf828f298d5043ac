import type { ApprovalRecord, ApprovalStore } from '../ports/approval-store.ts';

/** Knows how many approvals wait, without asking storage each time. */
export interface PendingApprovals {
  readonly count: number;
  close(): void;
}

const PAGE_SIZE = 500;

/**
 * Follows the approvals of all gateways on one database.
 *
 * @param onChange - Called after each change of an approval.
 * @param onFound - Called with each one that waited before, without its contents.
 * @throws What the store throws when the pending ones cannot be listed.
 */
export async function followApprovals(
  approvals: Pick<ApprovalStore, 'subscribe' | 'list'>,
  onChange: (record: ApprovalRecord) => void,
  onFound: (record: ApprovalRecord) => void,
): Promise<PendingApprovals> {
  const pending = new Set<string>();
  const settled = new Set<string>();
  let listing = true;
  const unsubscribe = approvals.subscribe((record) => {
    if (record.status === 'pending') pending.add(record.id);
    else {
      pending.delete(record.id);
      // The list may have been read before it was settled.
      if (listing) settled.add(record.id);
    }
    onChange(record);
  });
  try {
    for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
      const page = await approvals.list(
        { status: 'pending' },
        { limit: PAGE_SIZE, contents: false, ...(cursor === undefined ? {} : { cursor }) },
      );
      for (const record of page.items) {
        if (settled.has(record.id)) continue;
        pending.add(record.id);
        onFound(record);
      }
      cursor = page.cursor;
    }
  } catch (error) {
    unsubscribe();
    throw error;
  }
  listing = false;
  settled.clear();
  return Object.freeze({
    get count() {
      return pending.size;
    },
    close: unsubscribe,
  });
}
