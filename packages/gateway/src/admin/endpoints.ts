import type { AdminEndpoint } from './admin-endpoint.ts';
import { approvalEndpoints } from './approval-endpoints.ts';
import { auditEndpoints } from './audit-endpoints.ts';
import { gatewayEndpoints } from './gateway-endpoints.ts';
import { keyEndpoints } from './key-endpoints.ts';
import { logEndpoints } from './log-endpoints.ts';

/** Every address of the admin API but the event stream and the document about them. */
export const endpoints: readonly AdminEndpoint[] = [
  ...gatewayEndpoints,
  ...approvalEndpoints,
  ...logEndpoints,
  ...keyEndpoints,
  ...auditEndpoints,
];
