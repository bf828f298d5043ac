/** Why a bank did not say that it sent the money. */
export type BankFault = 'unknown-account' | 'limit' | 'reserved' | 'connection-lost' | 'key-revoked' | 'bug';

/** What the client of a bank throws; its message is for its developers. */
export class BankError extends Error {
  override readonly name = 'BankError';
  readonly fault: BankFault;

  constructor(fault: BankFault) {
    super(`bank.internal:8443 answered ${fault}`);
    this.fault = fault;
  }
}

/** The client of a bank. */
export interface Bank {
  /** The same key again is the same transfer. */
  readonly send: (
    order: { readonly to: string; readonly cents: number; readonly key: string | undefined },
    signal: AbortSignal,
  ) => Promise<{ readonly receipt: string }>;
}
