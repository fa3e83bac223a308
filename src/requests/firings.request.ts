import type { PageQuery, SortDirection } from './paging';

/** Which firings to list. */
export interface FiringListQuery extends PageQuery {
  /**
   * `ASC` lists the oldest first, `DESC` the newest.
   * @example "DESC"
   */
  sort?: SortDirection;
}
