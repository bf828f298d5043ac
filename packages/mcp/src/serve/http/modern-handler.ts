import { createMcpHandler, type McpHttpHandler, McpServer } from '@modelcontextprotocol/server';
import { Connection } from '../connection.ts';
import type { Identity } from '../identity.ts';
import { mcpServer } from '../mcp-server.ts';
import type { ServiceCore } from '../service-core.ts';
import { hasHeaderParameters } from './header-parameters.ts';

/**
 * Revision 2026-07-28: every request is an exchange of its own, with a connection of its own.
 *
 * @param identityOf - Who sent a request that came through the door.
 */
export function modernHandler<Context>(
  core: ServiceCore<Context>,
  identityOf: (request: Request) => Identity<Context> | undefined,
): McpHttpHandler {
  const { limits, report, serverInfo } = core.settings;
  return createMcpHandler(
    async ({ requestInfo }) => {
      const identity = requestInfo === undefined ? undefined : identityOf(requestInfo);
      if (identity === undefined) throw new TypeError('A request came in past the door.');
      const connection = new Connection(core, identity);
      // The high-level class for one thing: the SDK compares parameter headers (SEP-2243) for no other one.
      const product = mcpServer(connection, (options) => new McpServer(serverInfo, options));
      product.server.onclose = () => void connection.close();
      if (requestInfo?.headers.get('mcp-method') === 'tools/call' && hasHeaderParameters(core.gate)) {
        const run = await connection.run();
        product.toolInputSchemaJson = (name) => run.offered(name)?.inputSchema;
      }
      return product;
    },
    {
      legacy: 'reject',
      onerror: report,
      keepAliveMs: limits.keepAliveMs,
      maxSubscriptions: limits.maxSubscriptions,
    },
  );
}
