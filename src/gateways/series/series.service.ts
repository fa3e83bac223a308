import type { RowDataPacket } from 'mysql2/promise';
import { findOwned } from '../../access/find-owned';
import { markSeriesChange } from '../../access/own-sensor-counts';
import type { SensorAccess } from '../../access/sensor-access';
import type { Page, PageOf } from '../../edge/paging';
import { NotFound } from '../../platform/errors';
import { newestDateSql } from '../../points';
import type { Database } from '../../storage';
import { queryPage } from '../../storage/find-page';
import { SeriesName } from '../../storage/models/series.model';
import { forUpdate, inTransaction } from '../../storage/transaction';

export interface SeriesRow {
  id: number;
  name: string;
  sensorId: number;
  source: string;
  namespace: string;
  createdMs: number;
  lastMs: number | null;
}

const COLUMNS = `s.id, s.name, s.sensor_id AS sensorId, s.source, s.namespace, s.created_ms AS createdMs,
  ${newestDateSql('s.sensor_id')} AS lastMs`;

export class SeriesService {
  constructor(
    private readonly database: Database,
    private readonly access: SensorAccess,
  ) {}

  async list(userId: number, page: Page, sensorId?: number): Promise<PageOf<SeriesRow>> {
    if (sensorId !== undefined) await this.access.findOwn(userId, sensorId);
    const ofSensor = sensorId === undefined ? '' : 'AND s.sensor_id = ?';
    const values = sensorId === undefined ? [userId] : [userId, sensorId];
    const from = `FROM series s WHERE s.owner_id = ? ${ofSensor}`;
    const rows = {
      text: `SELECT ${COLUMNS} ${from} ORDER BY s.id LIMIT ? OFFSET ?`,
      values: [...values, page.limit, page.offset],
    };
    const count = { text: `SELECT COUNT(*) AS total ${from}`, values };
    return queryPage(this.database.pool, { page: rows, ...(page.withTotal && { count }) }, toRow);
  }

  async find(userId: number, id: number): Promise<SeriesRow> {
    const sql = `SELECT ${COLUMNS} FROM series s WHERE s.owner_id = ? AND s.id = ?`;
    const [[row]] = await this.database.pool.query<RowDataPacket[]>(sql, [userId, id]);
    if (!row) throw new NotFound('the series');
    return toRow(row);
  }

  /** Requests that are being stored may still go to the previous sensor. */
  async lead(userId: number, id: number, sensorId: number): Promise<SeriesRow> {
    await inTransaction(this.database.sequelize, async (transaction) => {
      const series = await findOwned(SeriesName, { id, ownerId: userId }, 'the series', forUpdate(transaction));
      await this.access.lockOwn(userId, sensorId, transaction);
      await series.update({ sensorId }, { transaction });
      await markSeriesChange(userId, transaction);
    });
    return this.find(userId, id);
  }

  /** Sensor and data remain; the name makes another sensor when it comes again. */
  async delete(userId: number, id: number): Promise<void> {
    await inTransaction(this.database.sequelize, async (transaction) => {
      const deleted = await SeriesName.destroy({ where: { id, ownerId: userId }, transaction });
      if (deleted === 0) throw new NotFound('the series');
      await markSeriesChange(userId, transaction);
    });
  }
}

function toRow(row: RowDataPacket): SeriesRow {
  const { id, name, sensorId, source, namespace, createdMs, lastMs } = row;
  return {
    id: Number(id),
    name: String(name),
    sensorId: Number(sensorId),
    source: String(source),
    namespace: String(namespace),
    createdMs: Number(createdMs),
    lastMs: lastMs === null ? null : Number(lastMs),
  };
}
