import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';

/** True if a server could listen on this port now. */
export function isFree(port, host = '127.0.0.1') {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** A free port below the range of outgoing connections, so that it is probably free at the next start as well. */
export async function freePort() {
  for (let tries = 0; tries < 100; tries++) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
  throw new Error('no free port between 20000 and 32000');
}

/** Connects, sends `greeting` if there is one, and returns the first bytes of the response, or undefined. */
export function firstResponse(port, greeting) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const end = (response) => {
      socket.destroy();
      resolve(response);
    };
    socket.setTimeout(1_000, () => end(undefined));
    socket.once('error', () => end(undefined));
    socket.once('close', () => end(undefined));
    socket.once('data', end);
    if (greeting) socket.write(greeting);
  });
}
