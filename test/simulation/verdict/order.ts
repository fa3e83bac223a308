import type { History } from '../history';
import { addedPoints, nameOf, removedPoints } from './commits';

/** Points of a sensor are handled in the order of the commits that stored them, whichever partitions they waited in. */
export function judgeOrder({ commits }: History): string[] {
  const faults: string[] = [];
  const storedAt = new Map<string, number>();
  /** By sensor, the latest of the commits whose points have been handled. */
  const handled = new Map<number, number>();
  for (const [index, commit] of commits.entries()) {
    for (const { sensorId, dateMs } of addedPoints(commit)) {
      const key = `${sensorId} ${dateMs}`;
      if (!storedAt.has(key)) storedAt.set(key, index); // it may be moved later
    }
    const removed = removedPoints(commit);
    for (const { sensorId, dateMs, value } of removed) {
      if ((storedAt.get(`${sensorId} ${dateMs}`) ?? 0) >= (handled.get(sensorId) ?? 0)) continue;
      faults.push(`${value} of sensor ${sensorId} was handled after what was stored later (${nameOf(commit)})`);
    }
    for (const { sensorId, dateMs } of removed) {
      const at = storedAt.get(`${sensorId} ${dateMs}`) ?? 0;
      handled.set(sensorId, Math.max(at, handled.get(sensorId) ?? 0));
    }
  }
  return faults;
}
