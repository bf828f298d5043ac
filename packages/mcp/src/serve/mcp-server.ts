import { ProtocolError, ProtocolErrorCode, Server, type ServerContext } from '@modelcontextprotocol/server';
import { approvalRound } from './approval-round.ts';
import { callTool } from './call-tool.ts';
import type { Connection } from './connection.ts';
import { toolPage } from './tool-page.ts';

/**
 * The SDK's protocol end of one client, on the low level: its `McpServer` would read arguments by itself, before the
 * contract does.
 */
export function mcpServer<Context>(connection: Connection<Context>): Server {
  const { core } = connection;
  const { serverInfo, instructions, limits, report } = core.settings;
  const round = approvalRound(connection, () => server);
  const server: Server = new Server(serverInfo, {
    capabilities: { tools: { listChanged: true } },
    ...(instructions === undefined ? {} : { instructions }),
    requestState: { verify: round.verify },
  });
  server.onerror = report;
  server.setRequestHandler('tools/list', ({ params }) =>
    contained(report, async () => {
      const page = toolPage(await connection.list(), params?.cursor, limits.pageSize);
      if (page === undefined)
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The cursor is not valid.');
      const { items, nextCursor } = page;
      return { tools: [...items], ...(nextCursor === undefined ? {} : { nextCursor }) };
    }),
  );
  server.setRequestHandler('tools/call', ({ params }, context: ServerContext) =>
    contained(report, () => callTool(connection, round, params, context)),
  );
  return server;
}

/** The SDK sends the message of whatever a handler throws; only what was meant for a client may be one. */
async function contained<Result>(
  report: (error: unknown) => void,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    report(error);
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'Internal error');
  }
}
