import type { Pool, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import { editRulesOn } from '../../access/rule-edit';
import type { Clock } from '../../platform/clock';
import { inPoolTransaction } from '../../storage/transaction';
import { nextRound, type TopicKind } from './change-log';
import type { StreamPosition } from './stream-position';

/** Changes are logged this long after the last stream, so that it can resume. */
export const NOTED_MS = 86_400_000;
/** A topic is renewed when less than this is left of a day and an hour. */
const SPARE_MS = 3_600_000;
export const MOST_BEHIND = 10_000;

export interface Topics {
  kind: TopicKind;
  thingIds: readonly number[];
}

export class StreamTopics {
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  /** When this resolves, all transactions that did not know of the topic have ended. */
  async watch({ kind, thingIds }: Topics): Promise<void> {
    const nowMs = this.clock.now();
    const known = await this.read(kind, thingIds);
    const missing = thingIds.filter((id) => !known.has(id));
    if (missing.length > 0) await this.add(kind, missing, nowMs);
    const isPending = (id: number) => known.get(id)?.sinceBatch === null;
    if (missing.length > 0 || thingIds.some(isPending)) {
      if (kind === 'firings') await this.awaitPasses();
      await this.beginRound(kind, thingIds);
    }
    const old = thingIds.filter((id) => (known.get(id)?.untilMs ?? nowMs + 2 * NOTED_MS) < nowMs + NOTED_MS);
    if (old.length > 0) await this.renew(kind, old, nowMs);
  }

  /** True if all changes after this position are in the log, and are few enough. */
  async canResume({ kind, thingIds }: Topics, position: StreamPosition, floorBatch: number): Promise<boolean> {
    if (position.round <= floorBatch) return false;
    const known = await this.read(kind, thingIds);
    if (thingIds.some((id) => (known.get(id)?.sinceBatch ?? position.round) >= position.round)) return false;
    const [[sum]] = await this.pool.query<RowDataPacket[]>(
      `SELECT COALESCE(SUM(item_count), 0) AS items FROM change_log
       WHERE kind = ? AND thing_id IN (?) AND batch_no >= ? AND (batch_no > ? OR id >= ?)`,
      [kind, thingIds, position.round, position.round, position.id],
    );
    return Number(sum?.items) - position.index <= MOST_BEHIND;
  }

  private async read(kind: TopicKind, thingIds: readonly number[]) {
    const [rows] = await this.pool.query<RowDataPacket[]>(
      `SELECT thing_id AS thingId, since_batch AS sinceBatch, until_ms AS untilMs FROM stream_topics
       WHERE kind = ? AND thing_id IN (?)`,
      [kind, thingIds],
    );
    return new Map(
      rows.map(({ thingId, sinceBatch, untilMs }) => [
        Number(thingId),
        { sinceBatch: sinceBatch === null ? null : Number(sinceBatch), untilMs: Number(untilMs) },
      ]),
    );
  }

  private add(kind: TopicKind, thingIds: readonly number[], nowMs: number): Promise<void> {
    const rows = thingIds.map((id) => [kind, id, nowMs + NOTED_MS + SPARE_MS]);
    return editRulesOn(this.pool, async (edit) => {
      const { connection } = edit;
      // Waits for passes that store outputs of services: they lock their sensors. Uploads recheck after their commit.
      if (kind === 'sensor') {
        await connection.query('SELECT id FROM sensors WHERE id IN (?) ORDER BY id FOR UPDATE', [thingIds]);
      }
      await connection.query('INSERT IGNORE INTO stream_topics (kind, thing_id, until_ms) VALUES ?', [rows]);
      if (kind === 'sensor') await edit.affects({ sensorIds: thingIds });
    });
  }

  /**
   * Waits for running passes, which may fire triggers and do not know of new topics. Both write the partition's row, so
   * this waits; or, on a cluster that locks on one server only, one of the two is refused and starts again. One row at
   * a time, so that no partition waits for another's pass.
   */
  private async awaitPasses(): Promise<void> {
    const [rows] = await this.pool.query<RowDataPacket[]>('SELECT partition_no AS partitionNo FROM partitions');
    for (const { partitionNo } of rows) {
      await inPoolTransaction(this.pool, (connection) =>
        connection.query('UPDATE partitions SET watches = watches + 1 WHERE partition_no = ?', [partitionNo]),
      );
    }
  }

  /** Invalidates positions up to this round: earlier changes may not have been logged. */
  private beginRound(kind: TopicKind, thingIds: readonly number[]): Promise<void> {
    return inPoolTransaction(this.pool, async (connection) => {
      const round = await nextRound(connection);
      await connection.query(
        'UPDATE stream_topics SET since_batch = ? WHERE kind = ? AND thing_id IN (?) AND since_batch IS NULL',
        [round, kind, thingIds],
      );
    });
  }

  private async renew(kind: TopicKind, thingIds: readonly number[], nowMs: number): Promise<void> {
    const [renewed] = await this.pool.query<ResultSetHeader>(
      'UPDATE stream_topics SET until_ms = ? WHERE kind = ? AND thing_id IN (?)',
      [nowMs + NOTED_MS + SPARE_MS, kind, thingIds],
    );
    if (renewed.affectedRows < thingIds.length) await this.watch({ kind, thingIds });
  }
}

export async function findTopics(
  connection: Pick<Pool, 'query'>,
  kind: TopicKind,
  thingIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (thingIds.length === 0) return new Set();
  const [rows] = await connection.query<RowDataPacket[]>(
    'SELECT thing_id AS thingId FROM stream_topics WHERE kind = ? AND thing_id IN (?)',
    [kind, thingIds],
  );
  return new Set(rows.map(({ thingId }) => Number(thingId)));
}
