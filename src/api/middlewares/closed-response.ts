import type { ServerResponse } from 'node:http';

/**
 * Calls `then` once a response has been sent or its connection has ended; at once where that was before. An event is not repeated for
 * those who come later, and what they hold until it comes would be held for good.
 */
export function onceClosed(response: ServerResponse, then: () => void): void {
  if (response.destroyed) then();
  else response.once('close', then);
}

/**
 * Calls `then` once a response begins, or is closed without that: by then the work for it is over, and what the request held is of no more use.
 * When it ends is up to the client, who may take it slowly, or not take another one that it waits behind on its connection.
 */
export function onceAnswered(response: ServerResponse, then: () => void): void {
  let isDone = false;
  const done = () => {
    if (!isDone) then();
    isDone = true;
  };
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse; // whichever of its forms
  response.writeHead = (...args: unknown[]) => {
    done();
    return writeHead(...args);
  };
  onceClosed(response, done);
}

/**
 * Lets a response be closed with its connection in any case. Node does so only for the response that has the socket: not for those that wait
 * behind it for theirs, nor where the connection has ended before the request was read. Node may also say so later: listen once.
 */
export function closeWithSocket(response: ServerResponse): void {
  response.setMaxListeners(0); // whatever holds something until then listens
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
