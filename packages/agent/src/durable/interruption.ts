import { ignoreThrown } from '@toolgate/core';

/**
 * Why an attempt at executing a run stops before the loop returned. Thrown through the loop, which must let it pass.
 * `parked`: it waits and needs no memory; `lost`: another worker has the run, or it is over; `closed`: this host stops;
 * `stuck`: the journal does not fit the loop; `broken`: the journal could not be read or written.
 */
export class Interruption extends Error {
  override readonly name = 'Interruption';
  readonly kind: 'parked' | 'lost' | 'closed' | 'stuck' | 'broken';
  /** With `parked`: the wait, and when to look again. */
  readonly wait: { readonly key: string; readonly wakeAt: number | null } | undefined;

  constructor(
    kind: Interruption['kind'],
    message: string,
    wait?: { readonly key: string; readonly wakeAt: number | null },
    options?: ErrorOptions,
  ) {
    super(message, options);
    ignoreThrown(options?.cause);
    this.kind = kind;
    this.wait = wait;
  }
}
