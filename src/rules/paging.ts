/** No page holds more items than this. */
export const MAX_PER_PAGE = 1000;

/** Which part of a list is wanted. */
export interface Page {
  offset: number;
  limit: number;
  /** Whether the number of all items is wanted, too. */
  withTotal: boolean;
}

/** As much as one response ever lists. */
export const LARGEST_PAGE: Page = { offset: 0, limit: MAX_PER_PAGE, withTotal: false };

/** One page of a list, and how many items the whole list has when that was wanted. */
export interface PageOf<T> {
  items: T[];
  total?: number;
}

/** A page of a list that is in memory as a whole. */
export function pageOf<T>(all: readonly T[], { offset, limit, withTotal }: Page): PageOf<T> {
  return { items: all.slice(offset, offset + limit), total: withTotal ? all.length : undefined };
}
