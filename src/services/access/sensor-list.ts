import type { RowDataPacket } from 'mysql2/promise';
import type { Reader } from '../../database/read-pool';
import { sharedSensorsSql } from '../../database/sensor-visibility';
import type { Page } from '../../domain/paging';
import { SENSOR_TYPE } from '../../models/sensor.model';

/** Which of the visible sensors are wanted; undefined is no condition. */
export interface SensorFilter {
  /** true: only one's own sensors; false: only those of others. */
  owned?: boolean;
  /** true: only one's own sensors that are shared with a user. */
  shared?: boolean;
  /** true: only sensors on a device. */
  physical?: boolean;
  /** Only sensors of this group; the caller has checked that the user may list them. */
  groupId?: number;
}

/**
 * A page of the ids of the sensors that the user may see, by id, and how many there are. Own sensors and those of
 * others are two branches that end with the page, so that neither is read completely.
 */
export async function findSensorPage(
  pool: Reader,
  userId: number,
  filter: SensorFilter,
  { offset, limit }: Page,
): Promise<{ ids: number[]; total: number }> {
  const branches = branchesFor(userId, filter);
  if (branches.length === 0) return { ids: [], total: 0 };
  const pages = branches.map((branch) => `(SELECT s.id AS id ${branch} ORDER BY s.id LIMIT ${offset + limit})`);
  const [rows] = await pool.query<RowDataPacket[]>(
    `SELECT id FROM (${pages.join(' UNION ALL ')}) listed ORDER BY id LIMIT ? OFFSET ?`,
    [limit, offset],
  );
  const counts = branches.map((branch) => `(SELECT COUNT(*) ${branch})`);
  const [[counted]] = await pool.query<RowDataPacket[]>(`SELECT ${counts.join(' + ')} AS total`);
  return { ids: rows.map((row) => Number(row.id)), total: Number(counted?.total) };
}

/** `FROM ... WHERE ...` of sensors `s`; no sensor is in two of the branches. */
function branchesFor(userId: number, filter: SensorFilter): string[] {
  const { owned, shared, physical, groupId } = filter;
  const device = physical ? ` AND s.type = ${SENSOR_TYPE.physical}` : '';
  const someone = shared ? ' AND EXISTS (SELECT 1 FROM sensor_users su WHERE su.sensor_id = s.id)' : '';
  const inGroup = `FROM group_sensors g JOIN sensors s ON s.id = g.sensor_id WHERE g.group_id = ${Number(groupId)} AND`;
  const visible = `FROM (${sharedSensorsSql(userId)}) v JOIN sensors s ON s.id = v.sensor_id WHERE`;
  const own = `${groupId === undefined ? 'FROM sensors s WHERE' : inGroup} s.owner_id = ${userId}${device}${someone}`;
  const others = `${groupId === undefined ? visible : inGroup} s.owner_id <> ${userId}${device}`;
  return [...(owned === false ? [] : [own]), ...(owned === true || shared ? [] : [others])];
}
