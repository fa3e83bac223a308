import type { Pool, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import type { Clock } from '../platform/clock';

export interface PurgeStep {
  deleted: number;
  /** Where the next step starts, even after a restart. */
  position: number;
  isDone: boolean;
}

/** Rows that the purge deletes, in short steps that lock few rows. */
export interface PurgeTask {
  /** Names its cursor. */
  readonly name: string;
  /** Common to a task's slices, which share the time of a run. Undefined without slices. */
  readonly kind?: string;
  /**
   * Nothing to do, by one read without locks: the run skips the lease, whose commits are most of an idle run's work.
   * Without it every run makes a step.
   */
  isIdle?(): Promise<boolean>;
  /** Continues at the position of the last step; the very first starts at 0. */
  step(position: number): Promise<PurgeStep>;
}

export interface Slice {
  number: number;
  of: number;
}

/** Consecutive ids of a slice: a slice is read by ranges of the primary key. */
export const IDS_PER_BLOCK = 256;

export function slicesOf(count: number): Slice[] {
  return Array.from({ length: count }, (_, number) => ({ number, of: count }));
}

export function sliceOf(id: number, of: number): Slice {
  return { number: Math.floor(id / IDS_PER_BLOCK) % of, of };
}

/** The first id of the slice from `id` on, and the exclusive end of its block. */
export function blockFrom(id: number, { number, of }: Slice): { from: number; end: number } {
  const block = Math.floor(id / IDS_PER_BLOCK);
  const ahead = (number + of - (block % of)) % of;
  return { from: ahead === 0 ? id : (block + ahead) * IDS_PER_BLOCK, end: (block + ahead + 1) * IDS_PER_BLOCK };
}

const ROWS_PER_STEP = 1_000;
const DAY_MS = 86_400_000;

/** Rows expire `days` after the instant in an indexed column. */
interface EndingRows {
  table: string;
  column: string;
  days: number;
}

/** Deletes a table's expired rows. */
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
