import type { Connection } from 'mysql2';
import { isUnusableServer } from './mysql-errors';

/** What the driver has for each statement; its types leave it out. */
interface Command {
  onResult?: (error: unknown, ...rest: unknown[]) => void;
}

/**
 * Closes the connection when its server reports that it may not work now, as a server that has lost its majority does, or a
 * former writer that only reads. It would go on refusing; a new connection leads to whichever server is in charge.
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
