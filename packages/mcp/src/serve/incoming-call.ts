import type { Server, ServerContext } from '@modelcontextprotocol/server';
import type { Connection } from './connection.ts';
import type { Run } from './run.ts';

/** One call on its way from a client to the gate. */
export interface IncomingCall<Context> {
  readonly connection: Connection<Context>;
  readonly run: Run;
  readonly name: string;
  /** The arguments as the contract reads them. */
  readonly text: string;
  readonly context: ServerContext;
  readonly project: ProjectResult;
}

/** Writes a result as the revision of the client has it: up to 2025-11-25 structured content is an object. */
export type ProjectResult = Server['projectCallToolResult'];
