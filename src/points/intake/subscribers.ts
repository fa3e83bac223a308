import type { Pool, PoolConnection } from 'mysql2/promise';
import { inPoolTransaction } from '../../storage/transaction';
import { BatchBuilder } from '../inbox/inbox-batch';
import { insertBatches } from '../inbox/inbox-rows';
import { deleteOrphans } from '../point-store/point-removal';
import { appendChanges, type Change } from '../streams/change-log';
import type { DatedPoint } from './data-point-rows';
import { readTargets, type Target, type Targets, type UploadEpochs } from './upload-targets';

export interface StoredBatch {
  sensorId: number;
  points: readonly DatedPoint[];
  receivedMs: number;
  isPast?: boolean;
}

export interface StoredPoints {
  batches: readonly StoredBatch[];
  targets: Targets;
  storedMs: number;
}

export interface Subscribers {
  partitionsToWake: ReadonlySet<number>;
  isStreamed: boolean;
}

/** Call it in the transaction of the points. The statements are pipelined. */
export async function writeForSubscribers(
  connection: PoolConnection,
  { batches, targets, storedMs }: StoredPoints,
  partitionCount: number,
): Promise<Subscribers> {
  const inbox = new BatchBuilder(partitionCount);
  const arrivals: Change[] = [];
  for (const { sensorId, points, receivedMs, isPast = false } of batches) {
    const target = targets.get(sensorId);
    if (!target) continue;
    if (target.stores && target.streamed) {
      const items = [...new Set(points.map(({ dateMs }) => dateMs))];
      arrivals.push({ kind: 'sensor', thingId: sensorId, items });
    }
    if (target.evaluated && !isPast) for (const point of points) inbox.add(target.ownerId, sensorId, point, receivedMs);
  }
  await Promise.all([insertBatches(connection, inbox, storedMs), appendChanges(connection, arrivals, storedMs)]);
  return { partitionsToWake: inbox.partitions, isStreamed: arrivals.length > 0 };
}

const NOTHING: Subscribers = { partitionsToWake: new Set(), isStreamed: false };

export interface Recheck {
  stored: StoredPoints;
  /** Epochs when the upload read its sensors, and after its commit. */
  before: UploadEpochs;
  after: UploadEpochs;
  partitionCount: number;
}

/**
 * A sensor may get a subscriber or be deleted between the upload's read and its commit. Call this after the commit and
 * before the answer: it writes what was missed, and returns what to nudge. Once is enough: it sees everything committed
 * before the upload, also on a cluster, whose servers commit in one order and where a read waits for earlier commits. A
 * later subscriber does not get these points, and a later deletion finds them. Reads nothing unless the partitions have
 * changed.
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

function missed(now: Targets, before: Targets): Targets {
  const without = (is: Target, was: Target | undefined): Target => ({
    ...is,
    evaluated: is.evaluated && was?.evaluated !== true,
    streamed: is.streamed && was?.streamed !== true,
  });
  return new Map([...now].map(([id, target]) => [id, without(target, before.get(id))]));
}

/** A different partition count also counts as a change. */
function haveChanged(ids: readonly number[], before: UploadEpochs, now: UploadEpochs): boolean {
  if (before.size !== now.size) return true;
  for (const [partition, count] of before) {
    if (now.get(partition) !== count && ids.some((id) => id % before.size === partition)) return true;
  }
  return false;
}
