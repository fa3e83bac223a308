import type { Pool, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import type { Clock } from '../clock';
import { effectiveRetention } from '../domain/retention';
import type { PurgeStep, PurgeTask } from './purge-task';

const SENSORS_PER_STEP = 200;
const POINTS_PER_STEP = 2_000;
const DAY_MS = 86_400_000;

/**
 * Deletes data points past the retention of the platform or that of their sensor, sensor by sensor because the primary key
 * begins with the sensor. The position is the last sensor without old points; after the last one the next run starts over.
 * Without a retention of the platform (0), only sensors with one of their own are looked at, by an index.
 */
export class OldPoints implements PurgeTask {
  readonly name = 'old-points';

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly retentionDays: number,
  ) {}

  async step(position: number): Promise<PurgeStep> {
    const [sensors] = await this.pool.query<RowDataPacket[]>(
      `SELECT id, retention_days AS days FROM sensors
       WHERE id > ? ${this.retentionDays > 0 ? '' : 'AND retention_days IS NOT NULL'} ORDER BY id LIMIT ?`,
      [position, SENSORS_PER_STEP],
    );
    let [deleted, lastId] = [0, position];
    for (const { id, days } of sensors) {
      const keptDays = effectiveRetention(days, this.retentionDays || null) ?? 0;
      const room = POINTS_PER_STEP - deleted;
      const [result] = await this.pool.query<ResultSetHeader>(
        'DELETE FROM data_points WHERE sensor_id = ? AND date_ms < ? LIMIT ?',
        [id, this.clock.now() - keptDays * DAY_MS, room],
      );
      deleted += result.affectedRows;
      if (result.affectedRows === room) return { deleted, position: lastId, isDone: false };
      lastId = Number(id);
    }
    const isDone = sensors.length < SENSORS_PER_STEP;
    return { deleted, position: isDone ? 0 : lastId, isDone };
  }
}
