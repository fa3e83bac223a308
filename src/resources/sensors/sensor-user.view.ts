import type { PublicUserView } from './sensor.view';

/** The response with one user. */
export interface PublicUserResponse {
  user: PublicUserView;
}

/** The response with a page of users. */
export interface PublicUsersResponse {
  users: PublicUserView[];
  /**
   * The number of users on all pages; only with `total=1`.
   * @isLong
   * @example 1
   */
  total?: number;
}
