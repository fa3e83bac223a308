import type { Pool, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import type { Clock } from '../clock';
import type { PurgeStep, PurgeTask } from './purge-task';

const SENSORS_PER_STEP = 200;
const POINTS_PER_STEP = 2_000;
const DAY_MS = 86_400_000;

/**
 * Deletes data points past their retention, sensor by sensor because the primary key begins with the sensor. The position is
 * the last sensor without old points; after the last one the next run starts over.
 */
export class OldPoints implements PurgeTask {
  readonly name = 'old-points';

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly retentionDays: number,
  ) {}

  async step(position: number): Promise<PurgeStep> {
    const beforeMs = this.clock.now() - this.retentionDays * DAY_MS;
    const [sensors] = await this.pool.query<RowDataPacket[]>(
      'SELECT id FROM sensors WHERE id > ? ORDER BY id LIMIT ?',
      [position, SENSORS_PER_STEP],
    );
    let [deleted, lastId] = [0, position];
    for (const { id } of sensors) {
      const room = POINTS_PER_STEP - deleted;
      const [result] = await this.pool.query<ResultSetHeader>(
        'DELETE FROM data_points WHERE sensor_id = ? AND date_ms < ? LIMIT ?',
        [id, beforeMs, room],
      );
      deleted += result.affectedRows;
      if (result.affectedRows === room) return { deleted, position: lastId, isDone: false };
      lastId = Number(id);
    }
    const isDone = sensors.length < SENSORS_PER_STEP;
    return { deleted, position: isDone ? 0 : lastId, isDone };
  }
}
