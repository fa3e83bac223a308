import type { RowDataPacket } from 'mysql2/promise';
import type { Page } from '../edge/paging';
import { SENSOR_TYPE } from '../storage/models/sensor.model';
import type { Reader } from '../storage/read-pool';
import { sharedSensorsSql } from '../storage/sensor-visibility';
import { OwnSensorCounts } from './own-sensor-counts';

/** Undefined is no condition. */
export interface SensorFilter {
  owned?: boolean;
  shared?: boolean;
  physical?: boolean;
  /** The caller has checked that the user may list the group. */
  groupId?: number;
  /** What the caller's credential reaches. */
  reached?: ReadonlySet<number>;
}

export class SensorList {
  private readonly ownCounts = new OwnSensorCounts();

  constructor(private readonly pool: Reader) {}

  /** Own and shared sensors are two branches that end with the page, so that neither is read completely. */
  async findPage(
    userId: number,
    filter: SensorFilter,
    { offset, limit }: Page,
  ): Promise<{ ids: number[]; total: number }> {
    const branches = branchesFor(userId, filter);
    if (branches.length === 0) return { ids: [], total: 0 };
    const pages = branches.map(({ sql }) => `(SELECT s.id AS id ${sql} ORDER BY s.id LIMIT ${offset + limit})`);
    const [rows] = await this.pool.query<RowDataPacket[]>(
      `SELECT id FROM (${pages.join(' UNION ALL ')}) listed ORDER BY id LIMIT ? OFFSET ?`,
      [limit, offset],
    );
    const ids = rows.map((row) => Number(row.id));
    const isLast = ids.length < limit && (ids.length > 0 || offset === 0);
    return { ids, total: isLast ? offset + ids.length : await this.count(userId, branches) };
  }

  private async count(userId: number, branches: readonly Branch[]): Promise<number> {
    const others = branches.filter(({ isAllOwn }) => !isAllOwn);
    const own = others.length < branches.length ? await this.ownCounts.count(this.pool, userId) : 0;
    if (others.length === 0) return own;
    const counts = others.map(({ sql }) => `(SELECT COUNT(*) ${sql})`);
    const [[counted]] = await this.pool.query<RowDataPacket[]>(`SELECT ${counts.join(' + ')} AS total`);
    return own + Number(counted?.total);
  }
}

interface Branch {
  sql: string;
  isAllOwn: boolean;
}

/** No sensor is in two branches. */
function branchesFor(userId: number, filter: SensorFilter): Branch[] {
  const { owned, shared, physical, groupId, reached } = filter;
  const limit = reached ? ` AND s.id IN (${[0, ...reached].map(Number).join()})` : '';
  const device = (physical ? ` AND s.type = ${SENSOR_TYPE.physical}` : '') + limit;
  const someone = shared ? ' AND EXISTS (SELECT 1 FROM sensor_users su WHERE su.sensor_id = s.id)' : '';
  const inGroup = `FROM group_sensors g JOIN sensors s ON s.id = g.sensor_id WHERE g.group_id = ${Number(groupId)} AND`;
  const visible = `FROM (${sharedSensorsSql(userId)}) v JOIN sensors s ON s.id = v.sensor_id WHERE`;
  const own = `${groupId === undefined ? 'FROM sensors s WHERE' : inGroup} s.owner_id = ${userId}${device}${someone}`;
  const others = `${groupId === undefined ? visible : inGroup} s.owner_id <> ${userId}${device}`;
  const isAllOwn = groupId === undefined && !physical && !shared && !reached;
  return [
    ...(owned === false ? [] : [{ sql: own, isAllOwn }]),
    ...(owned === true || shared ? [] : [{ sql: others, isAllOwn: false }]),
  ];
}
