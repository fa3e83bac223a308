import type { RowDataPacket } from 'mysql2/promise';

/** `wait`: the rest is possible later. */
export interface Removal {
  deleted: number;
  outcome: 'more' | 'wait' | 'done';
}

/** Rows are read by id, which is nearly the order of age. */
export interface RemovalPage {
  deleted: number;
  position: number;
  isDone: boolean;
}

/** 0 if the following rows are too young. */
export function nextPage(page: readonly RowDataPacket[], size: number): Pick<RemovalPage, 'position' | 'isDone'> {
  const isDone = page.length < size || !page.some(({ isOld }) => isOld);
  return { position: isDone ? 0 : Number(page.at(-1)?.id ?? 0), isDone };
}
