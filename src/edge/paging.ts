import { InvalidInput } from '../platform/errors';

const MAX_PER_PAGE = 1000;

export interface Page {
  offset: number;
  limit: number;
  withTotal: boolean;
}

/** The largest part of a list that one response can contain. */
export const LARGEST_PAGE: Page = { offset: 0, limit: MAX_PER_PAGE, withTotal: false };

export interface PageOf<T> {
  items: T[];
  total?: number;
}

export function pageOf<T>(all: readonly T[], { offset, limit, withTotal }: Page): PageOf<T> {
  return { items: all.slice(offset, offset + limit), total: withTotal ? all.length : undefined };
}

/** A response with a page of items. */
export interface PageTotal {
  /**
   * The number of items on all pages; only with `total=1`.
   * @isLong
   * @example 1
   */
  total?: number;
}

const DEFAULT_PER_PAGE = 100;

/** The order of a list. */
export type SortDirection = 'ASC' | 'DESC';

/** `full` adds related records or settings; `no` leaves only the ids. */
export type Details = 'full' | 'no';

/** The paging parameters of a list. */
export interface PageQuery {
  /**
   * The page to return, from 0.
   * @isInt
   * @minimum 0
   * @example 0
   */
  page?: number;
  /**
   * The number of items on a page: 100 if not given, and never more than 1,000.
   * @isInt
   * @minimum 1
   * @example 100
   */
  per_page?: number;
  /**
   * Whether to count the items on all pages.
   * @example true
   */
  total?: boolean;
}

/** Pages count from 0; `per_page` is clamped to 1000. */
export function readPage(query: PageQuery): Page {
  const page = query.page ?? 0;
  const perPage = query.per_page ?? DEFAULT_PER_PAGE;
  if (!Number.isInteger(page) || page < 0) throw InvalidInput.field('page', 'must be a whole number from 0');
  if (!Number.isInteger(perPage) || perPage < 1) throw InvalidInput.field('per_page', 'must be a whole number from 1');
  const limit = Math.min(perPage, MAX_PER_PAGE);
  const offset = page * limit;
  if (!Number.isSafeInteger(offset)) throw InvalidInput.field('page', 'is too large');
  return { offset, limit, withTotal: query.total === true };
}
