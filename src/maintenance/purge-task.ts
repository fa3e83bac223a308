import type { Pool, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import type { Clock } from '../platform/clock';

export interface PurgeStep {
  /** Number of deleted rows. */
  deleted: number;
  /** Where the next step starts, even after a restart. */
  position: number;
  /** True if nothing is left to do before the next run. */
  isDone: boolean;
}

/** A kind of rows that the purge deletes, in steps that lock few rows and take little time. */
export interface PurgeTask {
  /** Names its cursor. */
  readonly name: string;
  /** Common to the slices of a task, which share the time of a run. Undefined if the task has no slices. */
  readonly kind?: string;
  /**
   * True if there is nothing to do, determined by one read without locks. The run then skips the lease, whose commits
   * are most of the work of a run that deletes nothing. Without this function every run makes a step.
   */
  isIdle?(): Promise<boolean>;
  /** Does one step from the position of the last one. The very first starts at 0. */
  step(position: number): Promise<PurgeStep>;
}

/** A part of the rows of a task, so that several workers can do the task at the same time. */
export interface Slice {
  number: number;
  of: number;
}

/** Number of consecutive ids in the same slice: a slice is read by ranges of the primary key. */
export const IDS_PER_BLOCK = 256;

export function slicesOf(count: number): Slice[] {
  return Array.from({ length: count }, (_, number) => ({ number, of: count }));
}

export function sliceOf(id: number, of: number): Slice {
  return { number: Math.floor(id / IDS_PER_BLOCK) % of, of };
}

/** The first id of a slice that is not less than this one, and the exclusive end of its block. */
export function blockFrom(id: number, { number, of }: Slice): { from: number; end: number } {
  const block = Math.floor(id / IDS_PER_BLOCK);
  const ahead = (number + of - (block % of)) % of;
  return { from: ahead === 0 ? id : (block + ahead) * IDS_PER_BLOCK, end: (block + ahead + 1) * IDS_PER_BLOCK };
}

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
