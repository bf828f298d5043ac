import { expect, test } from 'vitest';
import type { ApprovalListener, ApprovalRecord, ApprovalStatus } from '../ports/approval-store.ts';
import { followApprovals } from './pending-approvals.ts';

const recordOf = (id: string, status: ApprovalStatus = 'pending') => ({ id, status }) as ApprovalRecord;

test('what waited before is found page by page, but for what is settled while it is read', async () => {
  const changed: string[] = [];
  const found: string[] = [];
  let tell: ApprovalListener = () => undefined;
  const followed = await followApprovals(
    {
      subscribe: (listener) => {
        tell = listener;
        return () => undefined;
      },
      list: async (_filter, page) => {
        // Thousands may wait, each with arguments of megabytes.
        expect(page?.contents).toBe(false);
        if (page?.cursor !== undefined) return { items: [recordOf('b'), recordOf('c')] };
        tell(recordOf('b', 'approved'));
        return { items: [recordOf('a')], cursor: 'more' };
      },
    },
    ({ id, status }) => changed.push(`${id} ${status}`),
    ({ id }) => found.push(id),
  );
  expect([found, changed, followed.count]).toEqual([['a', 'c'], ['b approved'], 2]);
  tell(recordOf('d'));
  tell(recordOf('a', 'declined'));
  expect([found, changed.slice(1), followed.count]).toEqual([['a', 'c'], ['d pending', 'a declined'], 2]);
});
