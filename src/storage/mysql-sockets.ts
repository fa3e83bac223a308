import { connect, Socket } from 'node:net';

/** MySQL's address, from the driver's settings. */
interface Address {
  host?: string;
  port: number;
  socketPath?: string;
}

/** The error of a connection whose other side has not answered in time. */
export function noAnswer(): Error {
  return Object.assign(new Error('MySQL did not answer'), { code: 'ETIMEDOUT' });
}

/**
 * The sockets under the connections to MySQL, so that all can be closed at once, including those that are still
 * connecting.
 */
export class MysqlSockets {
  private readonly sockets = new Set<Socket>();
  private isBrokenOff = false;

  /** Opens a socket for the driver. */
  readonly open = ({ config: { host, port, socketPath } }: { config: Address }): Socket => {
    if (this.isBrokenOff) return failed();
    const socket = connect(socketPath ? { path: socketPath } : { host, port, noDelay: true, keepAlive: true });
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
    return socket;
  };

  get areBrokenOff(): boolean {
    return this.isBrokenOff;
  }

  /** Makes all pending work on MySQL fail now, and later work fail at once. */
  breakOff(): void {
    this.isBrokenOff = true;
    for (const socket of this.sockets) socket.destroy(noAnswer());
  }
}

function failed(): Socket {
  const socket = new Socket();
  setImmediate(() => socket.destroy(noAnswer()));
  return socket;
}
