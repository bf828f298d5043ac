import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Clock } from '@toolgate/core';
import type { Principal } from '../ports/principal.ts';
import { repeat } from '../storage/repeat.ts';
import type { KeyGuardOptions, KeyHolder } from './key-guard.ts';
import { presentPrincipal } from './present-principal.ts';

/** What is needed to ask again whether a key still opens something. */
export interface EndWithoutKeyOptions {
  readonly lease: KeyGuardOptions<KeyHolder>['lease'];
  readonly clock: Clock;
  /** Whether whoever presents the key now may still see what comes. */
  readonly may: (principal: Principal) => boolean;
}

/** How long a key that was revoked, or taken out of the configuration, still sees what comes. */
const RECHECK_MS = 1_000;

/** Ends a response that has no end of its own when its key does not open it any more, or nobody can tell. */
export function endWithoutKey(
  headers: IncomingHttpHeaders,
  response: ServerResponse,
  { clock, lease, may }: EndWithoutKeyOptions,
): void {
  // Whoever serves the request may change what is in them.
  const presented = { ...headers };
  const end = (): void => void response.destroy();
  const recheck = async (): Promise<void> => {
    const principal = await presentPrincipal(presented, lease);
    if (principal === undefined || !may(principal)) end();
  };
  const checking = repeat(clock, RECHECK_MS, recheck, end);
  response.once('close', () => void checking.stop());
}
