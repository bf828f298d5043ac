import type { Loss, UnreadCall } from '@toolgate/model';
import type { CallAccount } from './call-account.ts';

/**
 * Notes calls that came without events, each once although it comes in pieces.
 *
 * @param passed - Whether they went out all the same, on a route that is a mere passage.
 * @returns What the client does not get of them.
 */
export type NoteUnread = (calls: readonly UnreadCall[], passed: boolean) => readonly Loss[];

/** Makes the account of the calls of one turn that nobody can look at. */
export function createUnreadAccount(account: Pick<CallAccount, 'unread'>): NoteUnread {
  const seen = new Set<string>();
  return (calls, passed) => {
    const losses: Loss[] = [];
    for (const call of calls) {
      if (seen.has(call.place)) continue;
      seen.add(call.place);
      account.unread(call, passed);
      if (!passed) losses.push(lossAt(call.place));
    }
    return losses;
  };
}

function lossAt(path: string): Loss {
  return {
    code: 'dropped',
    path,
    severity: 'warning',
    detail: 'a call that stands where nothing is checked',
  };
}
