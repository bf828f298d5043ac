import { type Clock, systemClock } from '@toolgate/core';
import { createAuditLog } from '../audit/audit-log.ts';
import type { Secret } from '../config/secret.ts';
import { containedListener } from '../observe/contained-listener.ts';
import type { AuditLog } from '../ports/audit-log.ts';
import { openStorage } from '../storage/open-storage.ts';

/** Settings of {@link openAudit}. */
export interface OpenAuditOptions {
  readonly clock?: Clock;
  /** Hears of faults that nobody waits for. */
  readonly onError?: (error: unknown) => void;
}

/** The audit of a database, and nothing else of it. */
export interface OpenAudit {
  readonly audit: AuditLog;
  close(): Promise<void>;
}

/**
 * Opens the audit of a database without a gateway: nothing is made or swept, nothing grows old.
 *
 * @param url - As in the configuration.
 * @throws GatewayError `gateway/storage-invalid` for a database without an audit, `gateway/storage-unavailable`.
 */
export async function openAudit(url: Secret, options: OpenAuditOptions = {}): Promise<OpenAudit> {
  const { clock = systemClock } = options;
  const onError = containedListener(options.onError);
  const storage = await openStorage(url.reveal(), { onError, existing: true });
  const audit = createAuditLog({ storage, clock });
  return Object.freeze({
    audit,
    close: async () => {
      await audit.close().catch(onError);
      await storage.close();
    },
  });
}
