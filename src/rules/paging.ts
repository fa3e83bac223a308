/** Maximum number of items of a page. */
export const MAX_PER_PAGE = 1000;

/** The requested part of a list. */
export interface Page {
  offset: number;
  limit: number;
  /** True if the number of all items is requested. */
  withTotal: boolean;
}

/** The largest part of a list that one response can contain. */
export const LARGEST_PAGE: Page = { offset: 0, limit: MAX_PER_PAGE, withTotal: false };

/** One page of a list, and the number of all items if it was requested. */
export interface PageOf<T> {
  items: T[];
  total?: number;
}

/** A page of a list that is in memory as a whole. */
export function pageOf<T>(all: readonly T[], { offset, limit, withTotal }: Page): PageOf<T> {
  return { items: all.slice(offset, offset + limit), total: withTotal ? all.length : undefined };
}
