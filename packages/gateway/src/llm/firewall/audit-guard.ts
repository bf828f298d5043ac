import type { AppendOptions, AuditEntry, AuditLog } from '../../ports/audit-log.ts';

/** Writes about calls into the audit without making them wait, as long as the audit works. */
export interface AuditGuard {
  /**
   * Appends.
   *
   * @returns `undefined` when nothing has to be waited for. Once an append has failed, a promise that says whether this
   *   entry is on the disk, until one is again: from then on nothing is released that is not recorded.
   */
  note(entry: AuditEntry): Promise<boolean> | undefined;
  /** Appends and waits. `false` when it is not on the disk. */
  write(entry: AuditEntry): Promise<boolean>;
  readonly healthy: boolean;
}

const SOON: AppendOptions = Object.freeze({ soon: true });

/** Makes the guard of an audit; one for all requests. */
export function createAuditGuard(audit: AuditLog, onDefect: (error: unknown) => void): AuditGuard {
  let healthy = true;

  const succeeded = (): boolean => {
    healthy = true;
    return true;
  };
  const failed = (error: unknown): boolean => {
    healthy = false;
    onDefect(error);
    return false;
  };
  /** One promise for each entry: there is one of them for every call. */
  const write = (entry: AuditEntry, options?: AppendOptions): Promise<boolean> => {
    try {
      return audit.append(entry, options).then(succeeded, failed);
    } catch (error) {
      return Promise.resolve(failed(error));
    }
  };

  return Object.freeze({
    note(entry: AuditEntry) {
      if (!healthy) return write(entry);
      void write(entry, SOON);
      return undefined;
    },
    write: async (entry: AuditEntry) => write(entry),
    get healthy() {
      return healthy;
    },
  });
}
