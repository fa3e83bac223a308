import type { PoolConnection } from 'mysql2/promise';
import { BatchBuilder } from '../inbox/inbox-batch';
import { insertBatches } from '../inbox/inbox-rows';
import { appendChanges, type Change } from '../streams/change-log';
import type { DatedPoint } from './server-dates';
import type { Targets } from './upload-targets';

/** Points of one sensor that one request stored, by date. */
export interface StoredBatch {
  sensorId: number;
  points: readonly DatedPoint[];
  receivedMs: number;
}

/** The result of a commit of uploads. */
export interface StoredPoints {
  batches: readonly StoredBatch[];
  targets: Targets;
  storedMs: number;
}

/** The subscribers to notify after a commit. */
export interface Subscribers {
  partitionsToWake: ReadonlySet<number>;
  isStreamed: boolean;
}

/**
 * Writes the stored points for their subscribers in the same transaction: inbox batches for triggers and services,
 * change-log entries for streams. The statements are pipelined.
 */
export async function writeForSubscribers(
  connection: PoolConnection,
  { batches, targets, storedMs }: StoredPoints,
  partitionCount: number,
): Promise<Subscribers> {
  const inbox = new BatchBuilder(partitionCount);
  const arrivals: Change[] = [];
  for (const { sensorId, points, receivedMs } of batches) {
    const target = targets.get(sensorId);
    if (!target) continue;
    if (target.stores && target.streamed) {
      arrivals.push({ kind: 'sensor', thingId: sensorId, items: points.map(({ dateMs }) => dateMs) });
    }
    if (target.evaluated) for (const point of points) inbox.add(target.ownerId, sensorId, point, receivedMs);
  }
  await Promise.all([insertBatches(connection, inbox, storedMs), appendChanges(connection, arrivals, storedMs)]);
  return { partitionsToWake: inbox.partitions, isStreamed: arrivals.length > 0 };
}
