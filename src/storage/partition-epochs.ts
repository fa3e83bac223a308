import type { RunSql } from './transaction';

/** Partitions of some sensors, when there are so many of them in all. */
export interface AffectedPartitions {
  partitionCount: number;
  partitions: readonly number[];
}

/** Which sensors: these, those of a user, or those with these triggers or sensor triggers. */
export type SensorSelection =
  | { sensorIds: readonly number[] }
  | { ownerId: number }
  | { triggerId: number }
  | { sensorTriggerIds: readonly number[] };

/** The partitions of sensors. Before a removal takes the triggers away by which they are found. */
export async function findPartitions(run: RunSql, selection: SensorSelection): Promise<AffectedPartitions> {
  const partitionCount = await readCount(run);
  if ('sensorIds' in selection) {
    return { partitionCount, partitions: [...new Set(selection.sensorIds.map((id) => id % partitionCount))] };
  }
  const [table, sensorId, column, ids] = sourceOf(selection);
  if (ids.length === 0) return { partitionCount, partitions: [] };
  const rows = await run(`SELECT DISTINCT MOD(${sensorId}, ?) AS partitionNo FROM ${table} WHERE ${column} IN (?)`, [
    partitionCount,
    ids,
  ]);
  return { partitionCount, partitions: rows.map(({ partitionNo }) => Number(partitionNo)) };
}

/** Where the sensors are found: the table, its column with their ids, and a column with its values. */
function sourceOf(selection: Exclude<SensorSelection, { sensorIds: readonly number[] }>) {
  if ('ownerId' in selection) return ['sensors', 'id', 'owner_id', [selection.ownerId]] as const;
  if ('triggerId' in selection) return ['sensor_triggers', 'sensor_id', 'trigger_id', [selection.triggerId]] as const;
  return ['sensor_triggers', 'sensor_id', 'id', selection.sensorTriggerIds] as const;
}

/**
 * Raises the versions of partitions and counts their changes, so that no pass or upload goes on with what its process
 * remembers of their sensors. Every change of a sensor's name or type, of its triggers, their rules and states, and of what
 * services it feeds does so in its transaction: as its last statements, because it waits for the pass under way and makes the
 * next one wait.
 */
export async function bumpEpochs(run: RunSql, { partitionCount, partitions }: AffectedPartitions): Promise<void> {
  if (partitions.length === 0) return;
  await run(
    'UPDATE partitions SET version = version + 1, changes = changes + 1 WHERE partition_no IN (?) AND partition_count = ?',
    [partitions, partitionCount],
  );
  // Locked now, unless the number has changed; then the sensors may be in any.
  if ((await readCount(run)) !== partitionCount)
    await run('UPDATE partitions SET version = version + 1, changes = changes + 1', []);
}

/**
 * The same for the partitions of sensors. Of those to which a service writes it also changes the service, as each pass that computes it
 * does: who begins to listen misses none of its outputs, on whatever server of a cluster that pass is.
 */
export async function bumpEpochsOf(run: RunSql, selection: SensorSelection): Promise<void> {
  await bumpEpochs(run, await findPartitions(run, selection));
  if (!('sensorIds' in selection) || selection.sensorIds.length === 0) return;
  await run('UPDATE services SET version = version + 1 WHERE id IN (?)', [selection.sensorIds]);
}

/** Counts a change of what uploads remember besides their sensors, which no pass does. They compare all partitions, so one is enough. */
export async function countChangeForUploads(run: RunSql): Promise<void> {
  await run('UPDATE partitions SET changes = changes + 1 WHERE partition_no = 0', []);
}

async function readCount(run: RunSql): Promise<number> {
  const [row] = await run('SELECT partition_count AS partitionCount FROM partitions WHERE partition_no = 0', []);
  return Number(row?.partitionCount ?? 1);
}
