import { type ConfigPlace, GatewayError } from '../ports/gateway-error.ts';

/** Why a configuration was refused. Nothing in it is secret. */
export interface ReloadFault {
  readonly code: string;
  readonly message: string;
  readonly place?: ConfigPlace;
}

/** What became of the last reload. */
export interface LastReload {
  readonly result: 'applied' | 'refused';
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Who asked for it. */
  readonly by: string;
  /** Of one that was refused. */
  readonly fault?: ReloadFault;
}

/** What may be said about an error of a reload: the text of a foreign one may quote what it was about. */
export function reloadFault(error: unknown): ReloadFault {
  if (!GatewayError.is(error))
    return { code: 'gateway/config-invalid', message: 'The configuration could not be built.' };
  const { code, message, place } = error;
  return { code, message, ...(place === undefined ? {} : { place }) };
}
