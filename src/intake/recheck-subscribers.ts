import type { Pool, PoolConnection } from 'mysql2/promise';
import { inPoolTransaction } from '../storage/transaction';
import { type StoredPoints, type Subscribers, writeForSubscribers } from './subscribers';
import { type Changes, readTargets, type Target, type Targets } from './upload-targets';

const NOTHING: Subscribers = { partitionsToWake: new Set(), isStreamed: false };

/** What an upload has stored, and when it looked. */
export interface Recheck {
  stored: StoredPoints;
  /** The changes of the partitions when the upload looked at its sensors, and after its commit. */
  before: Changes;
  after: Changes;
  partitionCount: number;
}

/**
 * Between the moment when an upload looks at its sensors and its commit, a sensor may get a listener, or be deleted. The upload
 * looks again after its commit, before it is answered, and adds what was missed; returns what waits for that.
 *
 * It looks again once. What was committed before its own commit is seen then, also on a cluster, whose servers commit in one order and
 * where a read waits for what was committed before it. Who begins to listen later does not get its points; a deletion that
 * comes later finds them itself. And nothing is read unless something has changed in the partitions of its own sensors.
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

/** The sensors with those listeners only that they had not before. */
function missed(now: Targets, before: Targets): Targets {
  const without = (is: Target, was: Target | undefined): Target => ({
    ...is,
    evaluated: is.evaluated && was?.evaluated !== true,
    streamed: is.streamed && was?.streamed !== true,
  });
  return new Map([...now].map(([id, target]) => [id, without(target, before.get(id))]));
}

/** Points of sensors that were deleted at the same moment: the purge may have looked for them already. Ids are never used again. */
async function deleteOrphans(connection: PoolConnection, sensorIds: readonly number[]): Promise<void> {
  if (sensorIds.length === 0) return;
  await Promise.all([
    connection.query('DELETE FROM data_points WHERE sensor_id IN (?)', [sensorIds]),
    connection.query('DELETE FROM server_dates WHERE sensor_id IN (?)', [sensorIds]),
  ]);
}

/** Whether the partitions of these sensors have changed, or may have, because their number is another one. */
function haveChanged(ids: readonly number[], before: Changes, now: Changes): boolean {
  if (before.size !== now.size) return true;
  for (const [partition, count] of before) {
    if (now.get(partition) !== count && ids.some((id) => id % before.size === partition)) return true;
  }
  return false;
}
