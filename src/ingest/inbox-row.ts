import type { ReceivedDataPoint, SensorDataPoint } from '../domain/data-point';

/** One point that waits for its sensor's actor. */
export interface InboxRow extends SensorDataPoint, ReceivedDataPoint {
  id: number;
  /** The sensor's owner when the point came. */
  ownerId: number;
  storedMs: number;
}

/** Whose work is meant: all of a partition, or that of one sensor in it. */
export interface TurnScope {
  partition: number;
  sensorId?: number | undefined;
  /** Owners after this one come first, when not all of them fit into a turn. */
  afterOwnerId?: number | undefined;
}

/** Rows by their sensor, in their order. */
export function groupBySensor(rows: readonly InboxRow[]): Map<number, InboxRow[]> {
  const groups = new Map<number, InboxRow[]>();
  for (const row of rows) {
    const group = groups.get(row.sensorId);
    if (group) group.push(row);
    else groups.set(row.sensorId, [row]);
  }
  return groups;
}
