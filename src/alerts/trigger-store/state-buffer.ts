import type { AffectedPartitions } from '../../access/rule-edit';
import { issueSlices, valuesById } from '../../storage/slices';
import type { RunSql } from '../../storage/transaction';

/** The latest point that a sensor trigger has evaluated. */
export interface LatestPoint {
  sensorTriggerId: number;
  dateMs: number;
  value: string;
}

/** `[date, value, sensor triggers…]`: the sensor triggers of one sensor mostly share them. */
type Entry = [dateMs: number, value: string, ...sensorTriggerIds: number[]];

/** Maximum number of sensor triggers per UPDATE: MySQL scans the list of ids for each of them. */
export const STATES_PER_STATEMENT = 125;
/** Includes rows buffered under another partition count: their sensors may be in any partition. */
const OF_PARTITIONS = '(partition_no IN (?) AND partition_count = ?) OR partition_count < ? OR partition_count > ?';

/** The content of a buffer row, in the order of the points. */
export function encodeBuffer(points: readonly LatestPoint[]): string {
  const entries: Entry[] = [];
  let last: Entry | undefined;
  for (const { sensorTriggerId, dateMs, value } of points) {
    if (last?.[0] === dateMs && last[1] === value) last.push(sensorTriggerId);
    else {
      last = [dateMs, value, sensorTriggerId];
      entries.push(last);
    }
  }
  return JSON.stringify(entries);
}

/** The newest point of each sensor trigger in the buffers of these partitions. */
export async function readBuffer(run: RunSql, affected: AffectedPartitions): Promise<Map<number, LatestPoint>> {
  return newest(await readRows(run, affected)).points;
}

/**
 * Flushes the buffers of partitions into the rows of their sensor triggers. The newer date of row and buffer wins, so
 * several processes may flush at the same time, and twice. Returns the number of states in the buffer, and of their
 * sensor triggers.
 */
export async function flushBuffer(
  run: RunSql,
  affected: AffectedPartitions,
): Promise<{ states: number; sensorTriggers: number }> {
  const rows = await readRows(run, affected);
  if (rows.length === 0) return { states: 0, sensorTriggers: 0 };
  const { points, states } = newest(rows);
  const latest = [...points.values()].map((point) => [point] as const);
  await issueSlices(
    latest,
    (slice) =>
      flushInto(
        run,
        slice.map(([point]) => point),
      ),
    STATES_PER_STATEMENT,
  );
  await run('DELETE FROM state_journal WHERE id IN (?)', [rows.map(({ id }) => id)]);
  return { states, sensorTriggers: points.size };
}

async function flushInto(run: RunSql, points: readonly LatestPoint[]): Promise<void> {
  const ids = points.map(({ sensorTriggerId }) => sensorTriggerId);
  const dates = points.map(({ dateMs }) => dateMs);
  const seen = valuesById(ids, { last_data_value: points.map(({ value }) => value), last_date_ms: dates });
  await run(
    `UPDATE sensor_triggers SET ${seen.sql}
     WHERE id IN (?) AND (last_date_ms IS NULL OR last_date_ms < ELT(FIELD(id, ?), ?))`,
    [...seen.values, ids, ids, dates],
  );
}

function readRows(run: RunSql, { partitions, partitionCount }: AffectedPartitions) {
  return run(`SELECT id, content FROM state_journal WHERE ${OF_PARTITIONS}`, [
    partitions,
    partitionCount,
    partitionCount,
    partitionCount,
  ]);
}

function newest(rows: Awaited<ReturnType<RunSql>>): { points: Map<number, LatestPoint>; states: number } {
  const points = new Map<number, LatestPoint>();
  let states = 0;
  for (const { content } of rows) {
    for (const [dateMs, value, ...ids] of JSON.parse(String(content)) as Entry[]) {
      states += ids.length;
      for (const sensorTriggerId of ids) {
        const known = points.get(sensorTriggerId);
        if (!known || known.dateMs < dateMs) points.set(sensorTriggerId, { sensorTriggerId, dateMs, value });
      }
    }
  }
  return { points, states };
}
