import type { Clock, JsonValue } from '@toolgate/core';
import type { ReloadResult } from '../config/generations.ts';
import type { UnconfiguredNames } from '../config/unconfigured-names.ts';
import type { ServerStanding } from '../mcp/mount-lease.ts';
import type { ApprovalRecord } from '../ports/approval-store.ts';
import type { GatewayStores } from '../ports/gateway-stores.ts';
import type { KeyRing } from '../ports/key-ring.ts';
import type { Grants } from '../ports/principal.ts';
import type { LastReload } from './last-reload.ts';

/** What became of a reload, with the settings of the new configuration that wait for a restart. */
export type ReloadOutcome = ReloadResult & { readonly needsRestart?: readonly string[] };

/** What the admin API works on. */
export interface AdminServices {
  readonly stores: GatewayStores;
  readonly clock: Clock;
  /** The key ring of the configuration that serves. */
  readonly keys: () => KeyRing;
  /** What a key names that the configuration that serves does not have. */
  readonly unconfigured: (grants: Grants) => UnconfiguredNames | undefined;
  readonly generation: () => number;
  readonly draining: () => boolean;
  /** Reads the configuration again from where it came, for somebody; `undefined` where it came from no file. */
  readonly reload: ((by: string) => Promise<ReloadOutcome>) | undefined;
  /** `undefined` before the first one. */
  readonly lastReload: () => LastReload | undefined;
  /** Mounted servers with their tools and findings. */
  readonly tools: () => JsonValue;
  /** How mounted servers stand. */
  readonly servers: () => readonly ServerStanding[];
  /** How the contract of an approval differs from the reviewed one, where there is a review. */
  readonly drift: (record: ApprovalRecord) => JsonValue | undefined;
}
