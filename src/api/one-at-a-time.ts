import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that may wait for the answers of those before them. */
const MAY_WAIT = 100;

/**
 * The listener, called for one request of a connection at a time: what a client sends ahead waits until all before it has been answered. Node
 * hands over everything that has come at once, a thousand short requests in 64 KB, and other connections would wait until all of it is done. A
 * connection on which too many wait is closed: node would read on and on.
 */
export function oneAtATime(listener: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    if (response.socket) return listener(request, response);
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > MAY_WAIT || socket.destroyed) return void socket.destroy();
    waiting.set(socket, count);
    response.once('socket', () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
      // Other connections come in between.
      setImmediate(() => {
        if (!response.destroyed) listener(request, response);
      });
    });
  };
}
