import type { Page, PageOf } from '../../edge/paging';
import type { Severity } from '../../edge/severity';
import { queryPage, type Sql } from '../../storage/find-page';
import { likeText } from '../../storage/like-text';
import { Firing } from '../../storage/models/firing.model';
import type { Reader } from '../../storage/read-pool';
import { requireFits } from '../../storage/response-size';
import { type EpisodeFiring, withEpisodes } from './firing-episodes';

export type { EpisodeFiring };

/** The filter of a list of firings; undefined is no condition. */
export interface FiringFilter {
  state?: 'firing' | 'resolved';
  acknowledged?: boolean;
  sensorId?: number;
  triggerId?: number;
  severity?: Severity;
  /** A text in the name of the trigger or the sensor. */
  search?: string;
  startMs: number;
  endMs: number;
}

/** The firings of open episodes. There are few open episodes, and they have an index. */
const LASTING = `firings e JOIN firings f
  ON f.sensor_trigger_id = e.sensor_trigger_id AND f.fired_ms >= e.fired_ms AND f.reason = e.reason`;
const ALL = 'firings f LEFT JOIN firings e ON e.id = f.episode_id';
/** The trigger and the sensor of a firing. */
const TRIGGER = 'SELECT 1 FROM triggers t WHERE t.id = f.trigger_id';
const SENSOR = 'SELECT 1 FROM sensors s WHERE s.id = f.sensor_id';

/** A page of the firings of a user's triggers, by date, without those of deleted triggers and sensors, which the purge deletes. */
export async function findFirings(
  reads: Reader,
  userId: number,
  filter: FiringFilter,
  { page: { offset, limit, withTotal }, sort, nowMs }: { page: Page; sort: 'ASC' | 'DESC'; nowMs: number },
): Promise<PageOf<EpisodeFiring>> {
  const { text, values } = fromOf(userId, filter);
  const order = `ORDER BY f.fired_ms ${sort}, f.id ${sort} LIMIT ? OFFSET ?`;
  const { items, total } = await queryPage(
    reads,
    {
      page: {
        text: `SELECT f.id, LENGTH(f.variables) AS bytes FROM ${text} ${order}`,
        values: [...values, limit, offset],
      },
      ...(withTotal ? { count: { text: `SELECT COUNT(*) AS total FROM ${text}`, values } } : {}),
    },
    (row) => ({ id: Number(row.id), bytes: Number(row.bytes) }),
  );
  requireFits(items.reduce((sum, { bytes }) => sum + bytes, 0));
  const ids = items.map(({ id }) => id);
  const found = new Map((await Firing.findAll({ where: { id: ids } })).map((firing) => [firing.id, firing]));
  const firings = ids.flatMap((id) => found.get(id) ?? []);
  return { items: await withEpisodes(firings, { reads, nowMs }), total };
}

function fromOf(userId: number, filter: FiringFilter): Sql {
  const { state, acknowledged, sensorId, triggerId, severity, search, startMs, endMs } = filter;
  const conditions: [text: string, ...values: unknown[]][] = [
    ['f.owner_id = ?', userId],
    ['f.fired_ms BETWEEN ? AND ?', startMs, endMs],
    [`EXISTS (${TRIGGER})`],
    [`EXISTS (${SENSOR})`],
  ];
  if (state === 'firing') conditions.push(['e.owner_id = ? AND e.is_lasting = TRUE', userId]);
  if (state === 'resolved') conditions.push(['COALESCE(e.is_lasting, f.is_lasting) = FALSE']);
  if (acknowledged !== undefined) {
    conditions.push([`COALESCE(e.acknowledged_ms, f.acknowledged_ms) IS ${acknowledged ? 'NOT NULL' : 'NULL'}`]);
  }
  if (sensorId !== undefined) conditions.push(['f.sensor_id = ?', sensorId]);
  if (triggerId !== undefined) conditions.push(['f.trigger_id = ?', triggerId]);
  if (severity !== undefined) conditions.push([`EXISTS (${TRIGGER} AND t.severity = ?)`, severity]);
  if (search) {
    const named = `EXISTS (${TRIGGER} AND t.name LIKE ?) OR EXISTS (${SENSOR} AND (s.name LIKE ? OR s.display_name LIKE ?))`;
    const like = likeText(search);
    conditions.push([`(${named})`, like, like, like]);
  }
  return {
    text: `${state === 'firing' ? LASTING : ALL} WHERE ${conditions.map(([text]) => text).join(' AND ')}`,
    values: conditions.flatMap(([, ...values]) => values),
  };
}
