import type { Pool, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import { editRulesOn } from '../../access/rule-edit';
import type { Clock } from '../../platform/clock';
import { sequenceChanges } from './change-log';
import { MOST_BEHIND, NOTED_MS } from './topics';

const ROWS_PER_STEP = 2_000;
const TOPICS_PER_STEP = 50;

/** Deletes changes that no stream can resume from, after it invalidates their cursors. */
export class OldChanges {
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  /** Ends topics without a stream for a day. Returns their number. */
  async endTopics(): Promise<number> {
    const [rows] = await this.pool.query<RowDataPacket[]>(
      'SELECT id, kind, thing_id AS thingId FROM stream_topics WHERE until_ms < ? LIMIT ?',
      [this.clock.now(), TOPICS_PER_STEP],
    );
    if (rows.length === 0) return 0;
    const sensorIds = rows.filter(({ kind }) => kind === 'sensor').map(({ thingId }) => Number(thingId));
    await editRulesOn(this.pool, async (edit) => {
      const { connection } = edit;
      const ids = rows.map(({ id }) => Number(id));
      await connection.query('DELETE FROM stream_topics WHERE id IN (?) AND until_ms < ?', [ids, this.clock.now()]);
      if (sensorIds.length > 0) await edit.affects({ sensorIds });
    });
    return rows.length;
  }

  /** Deletes some rows older than a day. Returns their number. */
  async deleteOld(): Promise<number> {
    // A row without a round gets one first: otherwise no cursor would show that it existed.
    await sequenceChanges(this.pool);
    const [rows] = await this.pool.query<RowDataPacket[]>(
      `SELECT id, batch_no AS round, created_ms < ? AS isOld FROM change_log
       WHERE batch_no IS NOT NULL ORDER BY id LIMIT ?`,
      [this.clock.now() - NOTED_MS, ROWS_PER_STEP],
    );
    const old = rows.filter(({ isOld }) => isOld);
    if (old.length === 0) return 0;
    const latest = old.reduce((most, { round }) => Math.max(most, Number(round)), 0);
    await this.pool.query('UPDATE stream_head SET floor_batch = GREATEST(floor_batch, ?) WHERE id = 1', [latest]);
    return this.deleteRows(old.map(({ id }) => Number(id)));
  }

  async trimTopics(afterId: number): Promise<{ deleted: number; lastId: number }> {
    const [topics] = await this.pool.query<RowDataPacket[]>(
      'SELECT id, kind, thing_id AS thingId FROM stream_topics WHERE id > ? ORDER BY id LIMIT ?',
      [afterId, TOPICS_PER_STEP],
    );
    let deleted = 0;
    for (const { id, kind, thingId } of topics) deleted += await this.trim(Number(id), kind, Number(thingId));
    return { deleted, lastId: topics.length < TOPICS_PER_STEP ? 0 : Number(topics.at(-1)?.id ?? 0) };
  }

  private async trim(topicId: number, kind: string, thingId: number): Promise<number> {
    const [rows] = await this.pool.query<RowDataPacket[]>(
      `SELECT batch_no AS round, item_count AS items FROM change_log
       WHERE kind = ? AND thing_id = ? AND batch_no IS NOT NULL ORDER BY batch_no DESC, id DESC LIMIT ?`,
      [kind, thingId, MOST_BEHIND],
    );
    let items = 0;
    const first = rows.find((row) => {
      items += Number(row.items);
      return items > MOST_BEHIND;
    });
    if (!first) return 0;
    const round = Number(first.round);
    await this.pool.query('UPDATE stream_topics SET since_batch = GREATEST(since_batch, ?) WHERE id = ?', [
      round - 1,
      topicId,
    ]);
    const [result] = await this.pool.query<ResultSetHeader>(
      'DELETE FROM change_log WHERE kind = ? AND thing_id = ? AND batch_no < ? LIMIT ?',
      [kind, thingId, round, ROWS_PER_STEP],
    );
    return result.affectedRows;
  }

  private async deleteRows(ids: readonly number[]): Promise<number> {
    const [result] = await this.pool.query<ResultSetHeader>('DELETE FROM change_log WHERE id IN (?)', [ids]);
    return result.affectedRows;
  }
}
