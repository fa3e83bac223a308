import type { ServerResponse } from 'node:http';
import { TooMany } from '../../platform/errors';

/**
 * Calls `then` once a response has been sent or its connection has ended; at once if that has already happened. An
 * event is not repeated for late listeners, and anything that they hold until it comes would be held forever.
 */
export function onceClosed(response: ServerResponse, then: () => void): void {
  if (response.destroyed) then();
  else response.once('close', then);
}

/** A signal that aborts the work for a response when its client has disconnected. */
export function whenClosed(response: ServerResponse): AbortSignal {
  const closed = new AbortController();
  onceClosed(response, () => closed.abort(new TooMany('the request was given up', 1)));
  return closed.signal;
}

/**
 * Calls `then` once a response begins, or is closed without that: by then the work for it is over, and the data of the
 * request is no longer needed. Its end depends on the client, who may read it slowly, or not read the previous response
 * on the same connection.
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
 * Makes a response close with its connection in every case. Node does so only for the response that has the socket: not
 * for pipelined responses behind it, nor if the connection has ended before the request was read. Node may emit the
 * event later as well: listen once.
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
