import type { Pool, RowDataPacket } from 'mysql2/promise';
import type { Clock } from '../platform/clock';
import type { Logger } from '../platform/logger';
import { effectiveRetention } from '../platform/retention';
import { DamagedChunk, type RemovedPoints, removeOldPoints } from '../points';
import { blockFrom, IDS_PER_BLOCK, type PurgeStep, type PurgeTask, type Slice } from './purge-task';

const POINTS_PER_STEP = 2_000;
const DAY_MS = 86_400_000;

interface OldSensor extends RowDataPacket {
  id: number;
  days: number | null;
}

/**
 * Past the retention of platform or sensor, sensor by sensor, because the primary key begins with it. The position is
 * the last sensor without old points. Without retention of the platform (0), an index finds the sensors with their own.
 */
export class OldPoints implements PurgeTask {
  readonly name: string;
  readonly kind = 'old-points';

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly retentionDays: number,
    private readonly slice: Slice,
    private readonly logger: Pick<Logger, 'error'>,
  ) {
    this.name = `${this.kind}-${slice.number}-of-${slice.of}`;
  }

  async isIdle(): Promise<boolean> {
    return (await this.sensorsFrom(0, Number.MAX_SAFE_INTEGER, 1)).length === 0;
  }

  async step(position: number): Promise<PurgeStep> {
    const { from, end } = blockFrom(position + 1, this.slice);
    const sensors = await this.sensorsFrom(from, end, IDS_PER_BLOCK);
    let [deleted, lastId] = [0, position];
    for (const { id, days } of sensors) {
      const keptDays = effectiveRetention(days, this.retentionDays || null) ?? 0;
      const room = POINTS_PER_STEP - deleted;
      const removed = await this.remove(Number(id), this.clock.now() - keptDays * DAY_MS, room);
      deleted += removed.deleted;
      if (!removed.isDone || deleted >= POINTS_PER_STEP) return { deleted, position: lastId, isDone: false };
      lastId = Number(id);
    }
    // The next sensor may be in a block of another slice, or far away.
    const [next] = await this.sensorsFrom(end, Number.MAX_SAFE_INTEGER, 1);
    return { deleted, position: next ? Number(next.id) - 1 : 0, isDone: !next };
  }

  /** A damaged chunk keeps its sensor's points, and stops no other sensor. */
  private async remove(id: number, beforeMs: number, most: number): Promise<RemovedPoints> {
    try {
      return await removeOldPoints(this.pool, id, beforeMs, most);
    } catch (error) {
      if (!(error instanceof DamagedChunk)) throw error;
      this.logger.error({ sensor: id, err: error }, 'the old points of a sensor cannot be removed');
      return { deleted: 0, isDone: true };
    }
  }

  private async sensorsFrom(from: number, end: number, most: number): Promise<OldSensor[]> {
    const [sensors] = await this.pool.query<OldSensor[]>(
      `SELECT id, retention_days AS days FROM sensors
       WHERE id >= ? AND id < ? ${this.retentionDays > 0 ? '' : 'AND retention_days IS NOT NULL'} ORDER BY id LIMIT ?`,
      [from, end, most],
    );
    return sensors;
  }
}
