import mysql, { type Connection } from 'mysql2/promise';
import type { Platform } from './platform';

/**
 * A connection of another client of MySQL, which may hold a lock for as long as it takes: those of the platform are closed
 * when they say nothing for 15 seconds. The caller ends it.
 */
export async function connectOtherClient({ container: { config } }: Platform): Promise<Connection> {
  const connection = await mysql.createConnection(config.mysqlUrl);
  connection.on('error', () => undefined); // a test may cut it; the next statement fails then
  return connection;
}
