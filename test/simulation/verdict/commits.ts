import type { Commit } from '../database/simulated-database';
import type { Row } from '../database/sql-syntax';

/** The rows that a commit added to a table. */
export function added({ changes }: Commit, table: string): Row[] {
  return changes.flatMap(({ table: changed, before, after }) => (changed === table && !before && after ? [after] : []));
}

/** The rows that a commit removed from a table. */
export function removed({ changes }: Commit, table: string): Row[] {
  return changes.flatMap(({ table: changed, before, after }) =>
    changed === table && before && !after ? [before] : [],
  );
}

/** The new versions of rows of a table, including added ones. */
export function written({ changes }: Commit, table: string): Row[] {
  return changes.flatMap(({ table: changed, after }) => (changed === table && after ? [after] : []));
}

/** The name of the commit for a report. */
export function nameOf({ owner, beganMs, atMs }: Commit): string {
  return `${owner}, ${beganMs} to ${atMs}`;
}
