import { unpack, type WaitingPoint } from '../../../src/points/inbox/inbox-batch';
import type { Commit } from '../database/simulated-database';
import type { Row } from '../database/sql-syntax';

/** The rows that a commit added to a table. */
export function added({ changes }: Commit, table: string): Row[] {
  return changes.flatMap(({ table: changed, before, after }) => (changed === table && !before && after ? [after] : []));
}

/** The new versions of rows of a table, including added ones. */
export function written({ changes }: Commit, table: string): Row[] {
  return changes.flatMap(({ table: changed, after }) => (changed === table && after ? [after] : []));
}

/** The points that a commit put into the inbox. */
export function addedPoints(commit: Commit): WaitingPoint[] {
  return added(commit, 'inbox_batches').flatMap(pointsOf);
}

/** The points that a commit took from the inbox; what it left of a batch, or moved to another, counts as still there. */
export function removedPoints(commit: Commit): WaitingPoint[] {
  const left = new Set(written(commit, 'inbox_batches').flatMap(pointsOf).map(keyOf));
  return commit.changes.flatMap(({ table, before }) => {
    if (table !== 'inbox_batches' || !before) return [];
    return pointsOf(before).filter((point) => !left.has(keyOf(point)));
  });
}

function pointsOf({ owner_id, stored_ms, content }: Row): WaitingPoint[] {
  return unpack(Number(owner_id), Number(stored_ms), String(content));
}

function keyOf({ sensorId, dateMs, receivedMs, value }: WaitingPoint): string {
  return JSON.stringify([sensorId, dateMs, receivedMs, value]);
}

/** The name of the commit for a report. */
export function nameOf({ owner, beganMs, atMs }: Commit): string {
  return `${owner}, ${beganMs} to ${atMs}`;
}
