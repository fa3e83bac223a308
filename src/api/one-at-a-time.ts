import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { PIPELINED } from './knobs';

/**
 * Wraps the listener so that it handles one request of a connection at a time: pipelined requests wait until all
 * earlier ones have been answered. Node delivers everything that has arrived at once, a thousand short requests in 64
 * KB, and other connections would wait for all of them. A connection with too many waiting requests is closed, because
 * node would keep reading.
 */
export function oneAtATime(listener: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    if (response.socket) return listener(request, response);
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > PIPELINED || socket.destroyed) return void socket.destroy();
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
