import type { Passenger } from './passengers.ts';
import type { Steps } from './steps.ts';
import type { StorageKind } from './storage-kind.ts';
import type { Database, Write } from './tables.ts';

/** How steps are taken. */
export interface WriteStepsOptions {
  readonly soon?: boolean;
  readonly together?: boolean;
}

/** An open database whose tables are up to date. */
export interface Storage {
  readonly kind: StorageKind;
  /**
   * Reads.
   *
   * @throws GatewayError `gateway/storage-unavailable` for a fault of the database; whatever else `work` throws.
   */
  read<Result>(work: (database: Database) => Promise<Result>): Promise<Result>;
  /**
   * Runs `work` in one transaction: what it wrote is on the disk when this settles, or nothing of it is there. On SQLite
   * one runs at a time, so `work` waits for nothing but the database.
   *
   * @throws GatewayError as `read` does.
   */
  write<Result>(work: (transaction: Write) => Promise<Result>): Promise<Result>;
  /**
   * The same for statements that are written out: what is done all the time. On SQLite that takes a fraction of the processor
   * time.
   *
   * @param make - Makes the steps, in the transaction; again where the file was held.
   * @param options - `soon`: what is written may be lost with the power, never in part; it is on the disk a little later, and
   * costs less again. `together`: what waits may ride along, see {@link carry}. Both default to `false`.
   * @throws GatewayError as `read` does.
   */
  writeSteps<Result>(
    make: (kind: StorageKind) => Steps<Result>,
    options?: WriteStepsOptions,
  ): Promise<Result>;
  /**
   * Lets work be done in transactions of others that nobody waits for. On PostgreSQL there are none.
   *
   * @returns Ends that.
   */
  carry(passenger: Passenger): () => void;
  /** Whether the database answers. */
  ping(): Promise<boolean>;
  close(): Promise<void>;
}
