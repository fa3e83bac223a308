import type { Pool, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import type { Clock } from '../../platform/clock';

/** About a megabyte each. */
const PARTS_PER_STEP = 50;

/** Files of what failed or was cancelled, of uploads that were read, and all that is past its day. */
const WITHOUT_USE = `a.ends_ms < ? OR a.state IN ('failed', 'cancelled') OR (a.kind = 'import' AND a.state = 'done')`;

/** Deletes the files of exports and imports that have no use any more, and all after a day. For the purge. */
export function forgottenArchivesTask(pool: Pool, clock: Clock) {
  return {
    name: 'forgotten-archives',
    isIdle: async () => (await findForgottenArchive(pool, clock.now())) === undefined,
    step: async () => {
      const id = await findForgottenArchive(pool, clock.now());
      const deleted = id === undefined ? 0 : await forgetArchive(pool, id, clock.now());
      return { deleted, position: 0, isDone: deleted === 0 };
    },
  };
}

/** An archive with rows to delete; undefined if there is none. */
async function findForgottenArchive(pool: Pool, nowMs: number): Promise<number | undefined> {
  const [[past]] = await pool.query<RowDataPacket[]>('SELECT id FROM archives WHERE ends_ms < ? LIMIT 1', [nowMs]);
  if (past) return Number(past.id);
  const [[useless]] = await pool.query<RowDataPacket[]>(
    `SELECT a.id FROM archives a WHERE (${WITHOUT_USE}) AND EXISTS (SELECT 1 FROM archive_parts p WHERE p.archive_id = a.id)
     LIMIT 1`,
    [nowMs],
  );
  return useless && Number(useless.id);
}

/** Deletes some of its rows; returns their number. The archive itself goes last, once its day is over. */
async function forgetArchive(pool: Pool, id: number, nowMs: number): Promise<number> {
  const [parts] = await pool.query<ResultSetHeader>(
    `DELETE FROM archive_parts WHERE archive_id = ? LIMIT ${PARTS_PER_STEP}`,
    [id],
  );
  if (parts.affectedRows > 0) return parts.affectedRows;
  const [rows] = await pool.query<ResultSetHeader>('DELETE FROM archives WHERE id = ? AND ends_ms < ?', [id, nowMs]);
  return rows.affectedRows;
}
