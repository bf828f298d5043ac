import type { AuditEntry, AuditLog } from '../../ports/audit-log.ts';

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

/** Makes the guard of an audit; one for all requests. */
export function createAuditGuard(audit: AuditLog, onDefect: (error: unknown) => void): AuditGuard {
  let healthy = true;

  const write = async (entry: AuditEntry, soon = false): Promise<boolean> => {
    try {
      await audit.append(entry, { soon });
      healthy = true;
      return true;
    } catch (error) {
      healthy = false;
      onDefect(error);
      return false;
    }
  };

  return Object.freeze({
    note(entry: AuditEntry) {
      if (!healthy) return write(entry);
      void write(entry, true);
      return undefined;
    },
    write: async (entry: AuditEntry) => write(entry),
    get healthy() {
      return healthy;
    },
  });
}
