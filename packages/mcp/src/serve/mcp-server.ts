import {
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import { approvalRound } from './approval-round.ts';
import { callTool } from './call-tool.ts';
import type { Connection } from './connection.ts';
import { identityOf } from './request-identity.ts';
import { checkExtensionMethod, type ExtensionPort } from './serve-extension.ts';
import { toolPage } from './tool-page.ts';

/**
 * Sets up the SDK's protocol end of one client, on the low level: its high-level handlers would read arguments by
 * themselves, before the contract does.
 *
 * @param make - Makes what holds the protocol end from its options.
 */
export function mcpServer<Context, Product extends { readonly server: Server }>(
  connection: Connection<Context>,
  make: (options: ServerOptions) => Product,
): Product {
  const { core, identity } = connection;
  const { instructions, limits, report, extensions } = core.settings;
  const round = approvalRound(connection, () => product.server);
  const product: Product = make({
    capabilities: Object.assign({}, ...extensions.map(({ capabilities }) => capabilities), {
      tools: { listChanged: true },
    }),
    ...(instructions === undefined ? {} : { instructions }),
    requestState: { verify: round.verify },
  });
  const { server } = product;
  server.onerror = report;
  const port: ExtensionPort = {
    handle: (method, handler) => {
      checkExtensionMethod(method);
      server.setRequestHandler(method, (request, context) =>
        contained(report, async () => handler(request, context)),
      );
    },
  };
  for (const extension of extensions) extension.register(port, identity);
  server.setRequestHandler('tools/list', ({ params }, context: ServerContext) =>
    contained(report, async () => {
      // An empty cursor was given to nobody: it is how some clients write that they have none.
      const cursor = params?.cursor === '' ? undefined : params?.cursor;
      const page = toolPage(await connection.list(identityOf(context)), cursor, limits.pageSize);
      if (page === undefined)
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The cursor is not valid.');
      const { items, nextCursor } = page;
      return { tools: [...items], ...(nextCursor === undefined ? {} : { nextCursor }) };
    }),
  );
  server.setRequestHandler('tools/call', ({ params }, context: ServerContext) =>
    contained(report, () =>
      callTool(connection, round, params, context, (result, schema) =>
        server.projectCallToolResult(result, schema),
      ),
    ),
  );
  return product;
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
