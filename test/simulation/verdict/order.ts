import type { WaitingPoint } from '../../../src/ingest/waiting-point';
import type { History } from '../history';
import { addedPoints, nameOf, removedPoints } from './commits';

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
