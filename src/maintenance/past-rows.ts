import type { Pool, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import type { Clock } from '../platform/clock';
import type { PurgeTask } from './purge-task';

const ROWS_PER_STEP = 1_000;
const DAY_MS = 86_400_000;

/** Rows that expire: `days` after the instant in an indexed column. */
interface EndingRows {
  table: string;
  column: string;
  days: number;
}

/** The task that deletes expired rows of a table. */
export function pastRowsTask(
  name: string,
  { table, column, days }: EndingRows,
  { pool, clock }: { pool: Pool; clock: Clock },
): PurgeTask {
  const beforeMs = () => clock.now() - days * DAY_MS;
  return {
    name,
    isIdle: async () => {
      const [past] = await pool.query<RowDataPacket[]>(`SELECT ${column} FROM ${table} WHERE ${column} < ? LIMIT 1`, [
        beforeMs(),
      ]);
      return past.length === 0;
    },
    step: async () => {
      const sql = `DELETE FROM ${table} WHERE ${column} < ? LIMIT ?`;
      const [result] = await pool.query<ResultSetHeader>(sql, [beforeMs(), ROWS_PER_STEP]);
      const deleted = result.affectedRows;
      return { deleted, position: 0, isDone: deleted < ROWS_PER_STEP };
    },
  };
}
