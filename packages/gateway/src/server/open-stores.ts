import { type Clock, systemClock } from '@toolgate/core';
import { createApprovalStore } from '../approvals/approval-store.ts';
import { createAuditLog } from '../audit/audit-log.ts';
import type { StorageConfig } from '../config/gateway-config.ts';
import { openStoredKeys, type StoredKeys } from '../keys/stored-keys.ts';
import { containedListener } from '../observe/contained-listener.ts';
import type { GatewayStores } from '../ports/gateway-stores.ts';
import { createCallLog } from '../storage/call-log.ts';
import { openStorage } from '../storage/open-storage.ts';
import { createTrafficLog } from '../storage/traffic-log.ts';
import { createWriteProbe } from './write-probe.ts';

/** What the stores of a gateway need. */
export interface OpenStoresConfig {
  readonly storage: StorageConfig;
  readonly clock?: Clock;
  /** Hears of faults that nobody waits for. */
  readonly onError?: (error: unknown) => void;
}

/** The stores of a gateway, with the keys from which each configuration makes its key ring. */
export interface OpenStores extends GatewayStores {
  readonly keys: StoredKeys;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Opens everything that is kept in one database.
 *
 * @throws GatewayError `gateway/storage-invalid`, `gateway/storage-unavailable`.
 */
export async function openStores(config: OpenStoresConfig): Promise<OpenStores> {
  const { clock = systemClock } = config;
  const onError = containedListener(config.onError);
  const { url, contents, retentionDays } = config.storage;
  const storage = await openStorage(url.reveal(), { onError });
  try {
    const retentionMs = retentionDays * DAY_MS;
    const common = { storage, clock, onError };
    const keys = await openStoredKeys(common);
    const contentsMs = contents ? retentionMs : Math.min(HOUR_MS, retentionMs);
    const approvals = await createApprovalStore({ ...common, contentsMs, retentionMs });
    const audit = createAuditLog({ storage, clock });
    const calls = createCallLog({ ...common, contents, retentionMs });
    const traffic = createTrafficLog({ ...common, retentionMs });
    return Object.freeze({
      approvals,
      audit,
      calls,
      traffic,
      keys,
      ping: createWriteProbe({ storage, clock, onError }),
      close: async () => {
        for (const each of [keys, approvals, audit, calls, traffic]) await each.close().catch(onError);
        await storage.close();
      },
    });
  } catch (error) {
    await storage.close().catch(onError);
    throw error;
  }
}
