import type { PublicUserView } from './sensor.view';

/** The answer that carries one user. */
export interface PublicUserResponse {
  user: PublicUserView;
}

/** The answer that carries a page of users. */
export interface PublicUsersResponse {
  users: PublicUserView[];
  /**
   * How many users all pages hold; with `total=1`.
   * @isLong
   * @example 1
   */
  total?: number;
}
