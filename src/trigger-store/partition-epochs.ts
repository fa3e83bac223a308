import type { RunSql } from '../storage/transaction';

/** Partitions of some sensors, and the total number of partitions. */
export interface AffectedPartitions {
  partitionCount: number;
  partitions: readonly number[];
}

/** Selects sensors: these, those of a user, or those with these triggers or sensor triggers. */
export type SensorSelection =
  | { sensorIds: readonly number[] }
  | { ownerId: number }
  | { triggerId: number }
  | { sensorTriggerIds: readonly number[] };

/** The partitions of sensors. Call it before a removal deletes the triggers that are needed to find them. */
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
 * Bumps the epochs of partitions and counts their changes. If a service writes to one of the sensors, it also changes
 * the service, as each pass does that computes it: a new subscriber misses none of its outputs, whichever server of a
 * cluster runs that pass.
 */
export async function bumpEpochs(
  run: RunSql,
  affected: readonly AffectedPartitions[],
  sensorIds: readonly number[] = [],
): Promise<void> {
  const partitions = [...new Set(affected.flatMap((some) => some.partitions))];
  const [partitionCount] = new Set(affected.map((some) => some.partitionCount));
  if (partitions.length > 0) {
    await run(
      'UPDATE partitions SET version = version + 1, changes = changes + 1 WHERE partition_no IN (?) AND partition_count = ?',
      [partitions, partitionCount],
    );
    // Locked now, unless the partition count has changed; then the sensors may be in any partition.
    const count = await readCount(run);
    if (affected.some((some) => some.partitionCount !== count))
      await run('UPDATE partitions SET version = version + 1, changes = changes + 1', []);
  }
  if (sensorIds.length > 0) await run('UPDATE services SET version = version + 1 WHERE id IN (?)', [sensorIds]);
}

async function readCount(run: RunSql): Promise<number> {
  const [row] = await run('SELECT partition_count AS partitionCount FROM partitions WHERE partition_no = 0', []);
  return Number(row?.partitionCount ?? 1);
}
