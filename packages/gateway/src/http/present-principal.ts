import type { IncomingHttpHeaders } from 'node:http';
import type { Principal } from '../ports/principal.ts';
import type { KeyGuardOptions, KeyHolder } from './key-guard.ts';

/** Who presents a key by the configuration and the keys of this moment; `undefined` when it opens nothing any more. */
export async function presentPrincipal(
  headers: IncomingHttpHeaders,
  lease: KeyGuardOptions<KeyHolder>['lease'],
): Promise<Principal | undefined> {
  const generation = lease();
  try {
    return await generation.content.authenticate(headers);
  } finally {
    generation.release();
  }
}
