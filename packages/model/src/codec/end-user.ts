import { digestText } from '@toolgate/core';
import type { ModelCall } from '../call/model-call.ts';
import type { LossLog } from './loss-log.ts';

/**
 * The end user as a protocol takes it: services refuse a name that is too long, and with it the request. The digest of
 * such a name stands for it, in the same way every time, as 64 digits that every service takes.
 */
export function fitEndUser(
  { endUser }: ModelCall,
  mostLength: 64 | 256,
  losses: LossLog,
): string | undefined {
  if (typeof endUser !== 'string') return undefined;
  if (endUser.length <= mostLength) return endUser;
  losses.add(
    'approximated',
    '/endUser',
    'info',
    'the name of the end user is too long here; its digest stands for it',
  );
  return digestText(endUser).slice('sha256:'.length);
}
