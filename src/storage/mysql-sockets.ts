import { connect, Socket } from 'node:net';

/** Of the driver's settings, where MySQL is. */
interface Address {
  host?: string;
  port: number;
  socketPath?: string;
}

/** The error of a connection whose other side has not answered in time. */
export function noAnswer(): Error {
  return Object.assign(new Error('MySQL did not answer'), { code: 'ETIMEDOUT' });
}

/** The sockets under the connections to MySQL, so that all can be broken off at once: those that are just being opened, too. */
export class MysqlSockets {
  private readonly sockets = new Set<Socket>();
  private isBrokenOff = false;

  /** Opens one, for the driver. */
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

  /** Whatever waits for MySQL fails now, and whatever asks it later fails at once. */
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
