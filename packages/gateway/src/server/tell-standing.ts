import type { ServerStanding } from '../mcp/mount-lease.ts';
import type { GatewayLog } from '../observe/log.ts';

/**
 * Writes into the log how a mounted server stands: `mcp-mounted`, `mcp-mounting`, `mcp-broken` or `mcp-failed`. Tools that
 * nobody is offered are a line of their own: a server that is there and has none looks like one that works.
 */
export function tellStanding(
  write: GatewayLog['write'],
  { error, heldBack, name, state }: ServerStanding,
): void {
  write(state === 'mounted' ? 'info' : 'warn', `mcp-${state}`, { server: name, ...error });
  if (heldBack === undefined) return;
  write('warn', 'mcp-held-back', {
    server: name,
    tools: heldBack,
    message: 'They are new or changed: review them with "toolgate lock", then reload.',
  });
}
