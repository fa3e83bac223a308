import type { Connection } from 'mysql2';
import { isUnknownVariable } from './mysql-errors';

const able = new WeakSet<object>();

/**
 * Asks the server of a new connection whether one packet may hold several statements of a transaction. Not on Galera:
 * if a transaction of another node wins while such a packet runs, MariaDB (10.11.19) rolls back the part that has run,
 * reports nothing, and runs the rest outside of any transaction. With each statement in a separate packet it reports a
 * deadlock (decision 49).
 */
export function requestStatementBatches(connection: Connection): void {
  connection
    .promise()
    .query('SELECT @@wsrep_on AS isCluster')
    .then(([rows]) => Number((rows as { isCluster: unknown }[])[0]?.isCluster) === 0, isUnknownVariable)
    .then((isAble) => {
      if (isAble) able.add(connection);
    });
}

/** True if the server allows it, as far as it has answered yet. */
export function takesStatementBatch(connection: object): boolean {
  return able.has(connection);
}
