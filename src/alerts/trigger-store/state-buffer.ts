import type { AffectedPartitions } from '../../access/rule-edit';
import { issueSlices, valuesById } from '../../storage/slices';
import type { RunSql } from '../../storage/transaction';

export interface LatestPoint {
  sensorTriggerId: number;
  dateMs: number;
  value: string;
}

/** Sensor triggers of a sensor mostly share date and value. */
type Entry = [dateMs: number, value: string, ...sensorTriggerIds: number[]];

/** MySQL scans the list of ids for each sensor trigger. */
export const STATES_PER_STATEMENT = 125;
/** Includes rows of another partition count: their sensors may be in any partition. */
const OF_PARTITIONS = '(partition_no IN (?) AND partition_count = ?) OR partition_count < ? OR partition_count > ?';

/** Content of a buffer row, in the order of the points. */
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

export async function readBuffer(run: RunSql, affected: AffectedPartitions): Promise<Map<number, LatestPoint>> {
  return newest(await readRows(run, affected)).points;
}

/**
 * The newer date of row and buffer wins, so processes may flush concurrently, and twice. Returns the number of buffered
 * states, and of their sensor triggers.
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
  await run('DELETE FROM write_behind_buffer WHERE id IN (?)', [rows.map(({ id }) => id)]);
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
  return run(`SELECT id, content FROM write_behind_buffer WHERE ${OF_PARTITIONS}`, [
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
