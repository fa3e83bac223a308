import { connect, Socket } from 'node:net';
import type { Connection } from 'mysql2';
import { isUnusableServer } from './mysql-errors';

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

/** The driver's object for each statement; its types omit it. */
interface Command {
  onResult?: (error: unknown, ...rest: unknown[]) => void;
}

/**
 * Closes the connection if its server reports that it cannot work now, such as a server that has lost its majority, or
 * a former primary that is read-only. It would keep refusing; a new connection leads to the server that is in charge.
 */
export function leaveUnusableServer(connection: Connection): void {
  const driver = connection as Connection & { addCommand(command: Command): Command };
  const { addCommand } = driver;
  driver.addCommand = (command) => {
    const { onResult } = command;
    if (onResult) {
      command.onResult = (error, ...rest) => {
        onResult(error, ...rest);
        if (error && isUnusableServer(error)) connection.destroy();
      };
    }
    return addCommand.call(connection, command);
  };
}
