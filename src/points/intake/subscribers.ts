import type { Pool, PoolConnection } from 'mysql2/promise';
import { inPoolTransaction } from '../../storage/transaction';
import { BatchBuilder } from '../inbox/inbox-batch';
import { insertBatches } from '../inbox/inbox-rows';
import { deleteOrphans } from '../point-store/point-removal';
import { appendChanges, type Change } from '../streams/change-log';
import type { DatedPoint } from './data-point-rows';
import { type Changes, readTargets, type Target, type Targets } from './upload-targets';

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
      const items = [...new Set(points.map(({ dateMs }) => dateMs))];
      arrivals.push({ kind: 'sensor', thingId: sensorId, items });
    }
    if (target.evaluated) for (const point of points) inbox.add(target.ownerId, sensorId, point, receivedMs);
  }
  await Promise.all([insertBatches(connection, inbox, storedMs), appendChanges(connection, arrivals, storedMs)]);
  return { partitionsToWake: inbox.partitions, isStreamed: arrivals.length > 0 };
}

const NOTHING: Subscribers = { partitionsToWake: new Set(), isStreamed: false };

/** The points that an upload stored, and the epochs around its commit. */
export interface Recheck {
  stored: StoredPoints;
  /** The epochs of the partitions when the upload read its sensors, and after its commit. */
  before: Changes;
  after: Changes;
  partitionCount: number;
}

/**
 * Between the moment when an upload reads its sensors and its commit, a sensor may get a subscriber or be deleted.
 * After its commit and before its answer, the upload checks again, writes what was missed, and returns what must be
 * nudged for that.
 *
 * One recheck is enough. It sees everything that was committed before its own commit. That also holds on a cluster,
 * whose servers commit in one order and where a read waits for earlier commits. A later subscriber does not get these
 * points, and a later deletion finds them itself. Nothing is read unless something has changed in the partitions of the
 * upload's sensors.
 */
export async function recheckSubscribers(
  pool: Pool,
  { stored, before, after, partitionCount }: Recheck,
): Promise<Subscribers> {
  const ids = [...stored.targets.keys()];
  if (stored.batches.length === 0 || !haveChanged(ids, before, after)) return NOTHING;
  return inPoolTransaction(pool, async (connection) => {
    const now = await readTargets(connection, ids);
    await deleteOrphans(
      connection,
      ids.filter((id) => !now.has(id)),
    );
    return writeForSubscribers(connection, { ...stored, targets: missed(now, stored.targets) }, partitionCount);
  });
}

/** The sensors with only the subscribers that they did not have before. */
function missed(now: Targets, before: Targets): Targets {
  const without = (is: Target, was: Target | undefined): Target => ({
    ...is,
    evaluated: is.evaluated && was?.evaluated !== true,
    streamed: is.streamed && was?.streamed !== true,
  });
  return new Map([...now].map(([id, target]) => [id, without(target, before.get(id))]));
}

/** True if the partitions of these sensors have changed. A different partition count also counts as a change. */
function haveChanged(ids: readonly number[], before: Changes, now: Changes): boolean {
  if (before.size !== now.size) return true;
  for (const [partition, count] of before) {
    if (now.get(partition) !== count && ids.some((id) => id % before.size === partition)) return true;
  }
  return false;
}
