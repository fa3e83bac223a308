import type { ReceivedDataPoint, SensorDataPoint } from '../rules/data-point';

/** A point that waits for its sensor's actor. */
export interface WaitingPoint extends SensorDataPoint, ReceivedDataPoint {
  /** Owner of the sensor when the point arrived. */
  readonly ownerId: number;
  readonly storedMs: number;
}

/** The work of a pass: all points of some partitions, or the points of one sensor in them. */
export interface PassScope {
  /** Without duplicates. */
  partitions: readonly number[];
  sensorId?: number | undefined;
  /** Maximum number of points of all owners together. */
  mostPoints?: number | undefined;
}

/** Groups points by sensor and keeps their order. */
export function groupBySensor(points: readonly WaitingPoint[]): Map<number, WaitingPoint[]> {
  const groups = new Map<number, WaitingPoint[]>();
  for (const point of points) {
    const group = groups.get(point.sensorId);
    if (group) group.push(point);
    else groups.set(point.sensorId, [point]);
  }
  return groups;
}
