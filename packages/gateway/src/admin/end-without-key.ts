import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Clock } from '@toolgate/core';
import type { KeyGuardOptions, KeyHolder } from '../http/key-guard.ts';
import { repeat } from '../storage/repeat.ts';

/** What is needed to ask again whether a key still opens the admin API. */
export interface EndWithoutKeyOptions {
  readonly lease: KeyGuardOptions<KeyHolder>['lease'];
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** How long a key that was revoked, or taken out of the configuration, still sees what comes. */
const RECHECK_MS = 1_000;

/** Ends a response that has no end of its own when its key may not use the admin API any more. */
export function endWithoutKey(
  headers: IncomingHttpHeaders,
  response: ServerResponse,
  { clock, lease, onError }: EndWithoutKeyOptions,
): void {
  const recheck = async (): Promise<void> => {
    const generation = lease();
    try {
      const principal = await generation.content.authenticate(headers);
      if (principal?.admin !== true) response.destroy();
    } finally {
      generation.release();
    }
  };
  const checking = repeat(clock, RECHECK_MS, recheck, onError);
  response.once('close', () => void checking.stop());
}
