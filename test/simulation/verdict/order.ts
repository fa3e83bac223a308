import type { WaitingPoint } from '../../../src/points/inbox/inbox-batch';
import type { Row } from '../database/sql-syntax';
import type { History } from '../history';
import { added, addedPoints, nameOf, removedPoints } from './commits';

/** Points of a sensor are handled in the order of the commits that stored them, whichever partitions they waited in. */
export function judgeOrder({ commits }: History): string[] {
  const faults: string[] = [];
  const storedAt = new Map<string, number>();
  /** By sensor, the latest of the commits whose points have been handled. */
  const handled = new Map<number, number>();
  for (const [index, commit] of commits.entries()) {
    for (const point of addedPoints(commit)) {
      if (!storedAt.has(keyOf(point))) storedAt.set(keyOf(point), index); // it may be moved later
    }
    const removed = removedPoints(commit);
    for (const point of removed) {
      const { sensorId, value } = point;
      if ((storedAt.get(keyOf(point)) ?? 0) >= (handled.get(sensorId) ?? 0)) continue;
      faults.push(`${value} of sensor ${sensorId} was handled after what was stored later (${nameOf(commit)})`);
    }
    for (const point of removed) {
      const at = storedAt.get(keyOf(point)) ?? 0;
      handled.set(point.sensorId, Math.max(at, handled.get(point.sensorId) ?? 0));
    }
  }
  return faults;
}

/** A client that got no response sends the same point again: it is a new one, as it is received later. */
function keyOf({ sensorId, dateMs, receivedMs }: WaitingPoint): string {
  return `${sensorId} ${dateMs} ${receivedMs}`;
}

/** Of each user an event is dispatched after those that waited before it, unless one of the two was set aside. */
export function judgeEventOrder({ commits }: History): string[] {
  const faults: string[] = [];
  const waiting = new Map<number, { row: Row; sinceMs: number }>();
  for (const commit of commits) {
    const dispatched = new Set(added(commit, 'deliveries').map((row) => Number(row.event_id)));
    const before = [...dispatched].flatMap((id) => waiting.get(id) ?? []);
    for (const { table, before: old, after } of commit.changes) {
      if (table !== 'events') continue;
      const id = Number((after ?? old)?.id);
      if (after) waiting.set(id, { row: after, sinceMs: waiting.get(id)?.sinceMs ?? commit.atMs });
      else waiting.delete(id);
    }
    for (const { row } of before) {
      if (row.retry_at_ms !== null) continue;
      const earlier = [...waiting.values()].find(
        (other) =>
          other.row.user_id === row.user_id &&
          other.row.retry_at_ms === null &&
          Number(other.row.id) < Number(row.id) &&
          other.sinceMs < commit.beganMs,
      );
      if (earlier) {
        faults.push(`event ${row.id} was dispatched before event ${earlier.row.id} (${nameOf(commit)})`);
      }
    }
  }
  return faults;
}
