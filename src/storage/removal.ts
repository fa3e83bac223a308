import type { RowDataPacket } from 'mysql2/promise';

/** The result of a step of a removal: there is `more` to delete, the rest has to `wait` for a while, or nothing is left. */
export interface Removal {
  deleted: number;
  outcome: 'more' | 'wait' | 'done';
}

/** A step through rows in the order of their ids, which is nearly the order of their age. */
export interface RemovalPage {
  /** Number of deleted rows. */
  deleted: number;
  /** Where the next step starts. */
  position: number;
  /** True if no older rows are left. */
  isDone: boolean;
}

/** The position after a page of rows, or 0 if the following rows are too young. */
export function nextPage(page: readonly RowDataPacket[], size: number): Pick<RemovalPage, 'position' | 'isDone'> {
  const isDone = page.length < size || !page.some(({ isOld }) => isOld);
  return { position: isDone ? 0 : Number(page.at(-1)?.id ?? 0), isDone };
}
