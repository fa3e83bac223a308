import type { PageQuery, SortDirection } from './paging';

/** The order of a list of firings. */
export interface FiringListQuery extends PageQuery {
  /**
   * `ASC` lists the oldest first, `DESC` the newest.
   * @example "DESC"
   */
  sort?: SortDirection;
}
