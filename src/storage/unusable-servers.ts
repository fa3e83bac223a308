import type { Connection } from 'mysql2';
import { isUnusableServer } from './mysql-errors';

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
