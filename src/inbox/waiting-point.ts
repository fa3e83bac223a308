import type { ReceivedDataPoint, SensorDataPoint } from '../rules/data-point';

/** One point that waits for its sensor's actor. */
export interface WaitingPoint extends SensorDataPoint, ReceivedDataPoint {
  /** The sensor's owner when the point came. */
  readonly ownerId: number;
  readonly storedMs: number;
}

/** Whose work is meant: all of some partitions, or that of one sensor in them. */
export interface PassScope {
  /** Each once. */
  partitions: readonly number[];
  sensorId?: number | undefined;
  /** How many points are taken at most, of all owners together. */
  mostPoints?: number | undefined;
}

/** Points by their sensor, in their order. */
export function groupBySensor(points: readonly WaitingPoint[]): Map<number, WaitingPoint[]> {
  const groups = new Map<number, WaitingPoint[]>();
  for (const point of points) {
    const group = groups.get(point.sensorId);
    if (group) group.push(point);
    else groups.set(point.sensorId, [point]);
  }
  return groups;
}
