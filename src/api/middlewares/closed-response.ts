import type { ServerResponse } from 'node:http';
import { TooMany } from '../../platform/errors';

/**
 * Calls `then` when the response was sent or its connection ended; at once if that has happened: events do not repeat
 * for late listeners, and what they hold would be held forever.
 */
export function onceClosed(response: ServerResponse, then: () => void): void {
  if (response.destroyed) then();
  else response.once('close', then);
}

/** Aborts when the client has disconnected. */
export function whenClosed(response: ServerResponse): AbortSignal {
  const closed = new AbortController();
  onceClosed(response, () => closed.abort(new TooMany('the request was given up', 1)));
  return closed.signal;
}

/**
 * Calls `then` when a response begins, or closes without that: the data of the request is no longer needed. The end
 * depends on the client, who may read slowly.
 */
export function onceAnswered(response: ServerResponse, then: () => void): void {
  let isDone = false;
  const done = () => {
    if (!isDone) then();
    isDone = true;
  };
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse; // any overload
  response.writeHead = (...args: unknown[]) => {
    done();
    return writeHead(...args);
  };
  onceClosed(response, done);
}

/**
 * Closes a response with its connection in every case. Node does so only for the response that has the socket, not for
 * pipelined ones, nor if the connection ended before the request was read. Node may emit the event later as well:
 * listen once.
 */
export function closeWithSocket(response: ServerResponse): void {
  response.setMaxListeners(0); // everything that holds something until then listens
  const { socket } = response.req;
  if (response.socket && !socket.closed) return;
  const close = () => {
    response.destroy();
    response.emit('close');
  };
  if (socket.closed) {
    setImmediate(close);
    return;
  }
  socket.setMaxListeners(0).once('close', close);
  response.once('close', () => socket.off('close', close));
}
