import type { PoolConnection } from 'mysql2/promise';
import { BatchBuilder } from '../inbox/inbox-batch';
import { insertBatches } from '../inbox/inbox-rows';
import type { DataPoint } from '../rules/data-point';
import { appendChanges, type Change } from '../streams/change-log';
import type { Targets } from './upload-targets';

/** Points of one sensor that were stored by one request, by date. */
export interface StoredBatch {
  sensorId: number;
  points: readonly DataPoint[];
  receivedMs: number;
}

/** What a commit of uploads has stored. */
export interface StoredPoints {
  batches: readonly StoredBatch[];
  targets: Targets;
  storedMs: number;
}

/** What waits after a commit. */
export interface Subscribers {
  partitionsToWake: ReadonlySet<number>;
  isStreamed: boolean;
}

/** Writes for those who listen what was stored, in the same transaction: inbox batches for triggers and services, arrivals for streams. All statements are issued at once. */
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
