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
 * Lets a response be closed with its connection in any case. Node does so only for the response that has the socket: not for those that wait
 * behind it for theirs, nor where the connection has ended before the request was read. Node may also say so later: listen once.
 */
export function closeWithSocket(response: ServerResponse): void {
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
