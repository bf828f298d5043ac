import type {
  HandlerResultTypeMap,
  RequestMethod,
  RequestTypeMap,
  ServerCapabilities,
  ServerContext,
} from '@modelcontextprotocol/server';
import { McpError } from '../mcp-error.ts';
import type { Identity } from './identity.ts';

/** Takes the handlers of one extension, for one client. */
export interface ExtensionPort {
  /**
   * Answers one method of the protocol. A `ProtocolError` goes to the client; of anything else that is thrown it
   * learns nothing.
   *
   * @throws {@link McpError} `mcp/serve-options-invalid` for a method that the server answers by itself.
   */
  readonly handle: <Method extends RequestMethod>(
    method: Method,
    handler: (
      request: RequestTypeMap[Method],
      context: ServerContext,
    ) => HandlerResultTypeMap[Method] | Promise<HandlerResultTypeMap[Method]>,
  ) => void;
}

/**
 * What an application serves beside its tools on the same endpoint: resources, prompts, completions. They do not go
 * through the gate; who may have what is for the extension to decide, by the identity that it is given.
 */
export interface ServeExtension<Context = unknown> {
  /** What clients are told that there is. */
  readonly capabilities: Omit<ServerCapabilities, 'tools'>;
  /** Called once for each client, before its first request. */
  readonly register: (port: ExtensionPort, identity: Identity<Context>) => void;
}

/** Methods that belong to the gate or to the handshake. */
const OWN: ReadonlySet<string> = new Set([
  'tools/list',
  'tools/call',
  'initialize',
  'server/discover',
  'ping',
]);

/** @throws {@link McpError} `mcp/serve-options-invalid`. */
export function checkExtensionMethod(method: string): void {
  if (!OWN.has(method)) return;
  throw new McpError('mcp/serve-options-invalid', `An extension cannot answer ${method}.`);
}
