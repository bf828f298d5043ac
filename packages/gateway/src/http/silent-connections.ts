import type { Server, Socket } from 'node:net';

/**
 * Keeps an eye on connections over which nothing has come yet, as browsers and load balancers hold some ready. Node.js takes
 * them for busy, so that a server that is being closed would wait for them.
 *
 * @returns Closes them.
 */
export function watchSilent(server: Server): () => void {
  const connections = new Set<Socket>();
  server.on('connection', (connection) => {
    connections.add(connection);
    connection.once('close', () => connections.delete(connection));
  });
  return () => {
    for (const connection of connections) if (connection.bytesRead === 0) connection.destroy();
  };
}
