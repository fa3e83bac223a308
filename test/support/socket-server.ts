import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface SocketServer {
  port: number;
  /** Stops it and cuts its connections. */
  stop(): Promise<void>;
}

/** A TCP server on this machine that hands each connection to `onConnection`. */
export async function startSocketServer(onConnection: (socket: Socket) => void): Promise<SocketServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined); // a client that disconnects early is part of the tests
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a TCP server's address is an AddressInfo
  const stop = () => {
    for (const socket of sockets) socket.destroy();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { port, stop };
}
