import { partOf, readValue } from '../../language/sensor-value';
import { type PointRange, readStoredRange } from '../../points';
import type { Reader } from '../../storage/read-pool';
import type { RunSql } from '../../storage/transaction';
import { type Extremes, gapsOf, type Limit, type SeenEpisode } from './suggestion-candidates';

const MOST_SEEN = 2_000;
export const MOST_ACKNOWLEDGED = 10_000;
/** Episodes, and gaps between them, whose points are read. */
const MOST_READ = 30;
const READ_MS = 6 * 3_600_000;

interface Scope {
  userId: number;
  triggerId: number;
  startMs: number;
  endMs: number;
}

/** The latest episodes on connected sensors, by the dates of points. */
export function readSeen(run: RunSql, { userId, triggerId, startMs, endMs }: Scope): Promise<SeenEpisode[]> {
  const which = 'f.owner_id = ? AND f.trigger_id = ? AND f.fired_ms >= ? AND f.fired_ms < ?';
  return readEpisodes(run, which, [userId, triggerId, startMs, endMs], MOST_SEEN);
}

/** All acknowledged episodes that meet the range, or one more than `MOST_ACKNOWLEDGED`. */
export function readAcknowledged(run: RunSql, { userId, triggerId, startMs, endMs }: Scope): Promise<SeenEpisode[]> {
  const which = `f.owner_id = ? AND f.trigger_id = ? AND f.acknowledged_ms IS NOT NULL AND f.fired_ms < ?
    AND (f.is_lasting OR COALESCE(f.ended_ms, f.fired_ms) >= ?)`;
  return readEpisodes(run, which, [userId, triggerId, endMs, startMs], MOST_ACKNOWLEDGED + 1);
}

/** An episode lasts from the earlier of its point and its firing, until the later of its last point and its end. */
async function readEpisodes(run: RunSql, which: string, values: unknown[], most: number): Promise<SeenEpisode[]> {
  const rows = await run(
    `SELECT f.sensor_id AS sensorId, f.fired_ms AS firedMs, JSON_EXTRACT(f.variables, '$.sensor_data_date') AS dateS,
       f.is_lasting AS isLasting, f.ended_ms AS endedMs, f.end_date_ms AS endDateMs, f.acknowledged_ms AS acknowledgedMs
     FROM firings f JOIN sensor_triggers st ON st.id = f.sensor_trigger_id AND st.active
     WHERE ${which} AND f.episode_id IS NULL ORDER BY f.fired_ms DESC LIMIT ?`,
    [...values, most],
  );
  return rows.map(({ sensorId, firedMs, dateS, isLasting, endedMs, endDateMs, acknowledgedMs }) => {
    const isAcknowledged = acknowledgedMs !== null;
    const [fired, ended] = [Number(firedMs), Number(endedMs ?? firedMs)];
    const endDated = Number(endDateMs ?? ended);
    // An inactivity has no point: its date is null in JSON.
    const dated = Number(dateS) > 0 ? Number(dateS) * 1000 : fired;
    return {
      ...{ sensorId: Number(sensorId), isAcknowledged },
      beganMs: isAcknowledged ? Math.min(fired, dated) : dated,
      endedMs: isLasting ? null : isAcknowledged ? Math.max(ended, endDated) : Math.max(dated, endDated),
    };
  });
}

/** Reads points of the latest episodes, and of the times between them. */
export async function readExtremes(
  reads: Reader,
  limit: Limit,
  dataTypes: ReadonlyMap<number, string>,
  { seen, acknowledged }: { seen: readonly SeenEpisode[]; acknowledged: readonly SeenEpisode[] },
): Promise<Extremes> {
  const read = async (ranges: readonly PointRange[], choose: 'max' | 'min') => {
    const found: number[] = [];
    for (const range of ranges.slice(0, MOST_READ)) {
      const { points } = await readStoredRange(reads, range);
      const dataType = dataTypes.get(range.sensorId) ?? '';
      const values = points.flatMap(({ value }) => (value === null ? [] : numberIn(value, dataType, limit)));
      if (values.length > 0) found.push(Math[choose](...values));
    }
    return found;
  };
  const calm = seen.filter(({ isAcknowledged }) => !isAcknowledged);
  const gaps = gapsOf(seen).reverse();
  return {
    calm: await read(calm.map(timeOf), 'max'),
    acknowledged: await read(acknowledged.map(timeOf), 'max'),
    between: await read(
      gaps.map(({ sensorId, fromMs, untilMs }) => ({ sensorId, afterMs: fromMs - 1, untilMs })),
      'min',
    ),
  };
}

function timeOf({ sensorId, beganMs, endedMs }: SeenEpisode): PointRange {
  const longest = beganMs + READ_MS;
  return { sensorId, afterMs: beganMs - 1, untilMs: Math.min(longest, endedMs ?? longest) };
}

function numberIn(stored: string, dataType: string, { operand, sign }: Limit): number[] {
  const [, ...path] = operand.split('.');
  let value: ReturnType<typeof partOf> = readValue(stored, dataType);
  for (const name of path) value = partOf(value, { name, isQuoted: false });
  return typeof value === 'number' ? [sign * value] : [];
}
