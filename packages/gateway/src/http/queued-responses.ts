import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Makes a watch over responses that wait for others on the same connection, because their client sent requests without
 * waiting for answers. When the connection closes, Node before version 24 tells nobody but the first of them.
 *
 * @returns To be called with each response before anything else; most wait for none.
 */
export function createQueueWatch(): (response: ServerResponse, connection: Socket) => void {
  const queues = new WeakMap<Socket, Set<ServerResponse>>();

  const queueOf = (connection: Socket): Set<ServerResponse> => {
    const known = queues.get(connection);
    if (known !== undefined) return known;
    const queue = new Set<ServerResponse>();
    queues.set(connection, queue);
    connection.once('close', () => {
      for (const response of queue) {
        // It is the first one by now.
        if (response.socket !== null) continue;
        response.destroy();
        // Behind the event of Node's own, where there is one.
        process.nextTick(() => {
          if (queue.has(response)) response.emit('close');
        });
      }
    });
    return queue;
  };

  return (response, connection) => {
    if (response.socket !== null) return;
    const queue = queueOf(connection);
    queue.add(response);
    response.once('close', () => queue.delete(response));
  };
}
