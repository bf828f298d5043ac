import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** One connection to a server that leaves each answer to the test. */
export interface PausedClient {
  /** Takes nothing until it is resumed. */
  readonly socket: Socket;
  /** Lets a request come, and gives its response. */
  readonly ask: (path?: string) => Promise<ServerResponse>;
  /** Ends the connection and the server. */
  readonly close: () => void;
}

export async function connectPaused(): Promise<PausedClient> {
  let take: (response: ServerResponse) => void = () => undefined;
  const server = createServer((_request, response) => take(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  return {
    socket,
    ask(path = '/') {
      const response = new Promise<ServerResponse>((resolve) => {
        take = resolve;
      });
      socket.write(`GET ${path} HTTP/1.1\r\nhost: here\r\n\r\n`);
      return response;
    },
    close() {
      socket.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}
