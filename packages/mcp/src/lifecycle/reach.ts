import type { Client } from '@modelcontextprotocol/client';

/** How a server is reached, as far as that says what its refusals mean. */
export interface Reach {
  /** Of the connection, where it has one. */
  readonly sessionId: string | undefined;
  /**
   * A pipe on which an older revision is spoken. The server behind it is never exchanged for another one, and its codes
   * from -32000 on are its own.
   */
  readonly isOldPipe: boolean;
}

/** How the server of a client is reached now. */
export function reachOf(client: Client): Reach {
  return {
    sessionId: client.transport?.sessionId,
    isOldPipe: isPipe(client) && client.getProtocolEra() !== 'modern',
  };
}

/** Whether one channel carries everything, by the members by which the SDK knows it. */
export function isPipe({ transport }: Client): boolean {
  return transport !== undefined && 'pid' in transport && 'stderr' in transport;
}
