import type { ApprovalStore, SameCall } from '../ports/approval-store.ts';

/** Approved calls of a tool among which one that is asked for again is looked for. */
const MAX_APPROVED = 50;

/**
 * When an approval of the same call was used before, in milliseconds since the epoch. A client that lost the result asks again,
 * and whoever says yes to that makes it happen twice.
 */
export async function lastUse(
  approvals: Pick<ApprovalStore, 'list'>,
  { argumentsDigest, contractDigest, origin, place, principal, tool }: Omit<SameCall, 'class'>,
): Promise<number | undefined> {
  const { items } = await approvals.list(
    { status: 'approved', origin, tool, place, ...(principal === undefined ? {} : { principal }) },
    { limit: MAX_APPROVED, contents: false },
  );
  const same = items.find(
    (record) =>
      record.consumedAt !== undefined &&
      record.contractDigest === contractDigest &&
      // A reviewer may have changed what was asked for.
      [record.argumentsDigest, record.settlement?.argumentsDigest].includes(argumentsDigest),
  );
  return same?.consumedAt;
}
