import type { ApprovalStore } from './approval-store.ts';
import type { AuditLog } from './audit-log.ts';
import type { CallLog } from './call-log.ts';
import type { TrafficLog } from './traffic-log.ts';

/** Everything that outlives a configuration; opened once, closed last. */
export interface GatewayStores {
  readonly approvals: ApprovalStore;
  readonly audit: AuditLog;
  readonly calls: CallLog;
  readonly traffic: TrafficLog;
  /** Whether storage answers and takes what is written; for readiness. */
  ping(): Promise<boolean>;
  close(): Promise<void>;
}
