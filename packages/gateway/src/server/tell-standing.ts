import type { ServerStanding } from '../mcp/mount-lease.ts';
import type { GatewayLog } from '../observe/log.ts';

/** Writes into the log how a mounted server stands: `mcp-mounted`, `mcp-mounting`, `mcp-broken` or `mcp-failed`. */
export function tellStanding(write: GatewayLog['write'], { error, name, state }: ServerStanding): void {
  write(state === 'mounted' ? 'info' : 'warn', `mcp-${state}`, { server: name, ...error });
}
