import { createRequire } from 'node:module';
import type { Pool } from 'undici';

/**
 * Opens connections to one origin.
 *
 * The class is taken from its own file, the same class that `undici` names `Pool`: its index loads fetch, web sockets and
 * caches with it, which take eight megabytes and which nothing here uses.
 */
export function openPool(origin: string, options: Pool.Options): Pool {
  loaded ??= createRequire(import.meta.url)('undici/lib/dispatcher/pool.js') as typeof Pool;
  return new loaded(origin, options);
}

let loaded: typeof Pool | undefined;
