import { connect, Socket } from 'node:net';
import type { Connection } from 'mysql2';
import { isUnusableServer } from './mysql-errors';

interface Address {
  host?: string;
  port: number;
  socketPath?: string;
}

export function noAnswer(): Error {
  return Object.assign(new Error('MySQL did not answer'), { code: 'ETIMEDOUT' });
}

/** Knows connecting sockets as well, so that all can be closed at once. */
export class MysqlSockets {
  private readonly sockets = new Set<Socket>();
  private isBrokenOff = false;

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

  /** Pending work on MySQL fails now, later work at once. */
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

interface Command {
  onResult?: (error: unknown, ...rest: unknown[]) => void;
}

/** Lost its majority, or is a former primary: a new connection leads to the server in charge. */
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
