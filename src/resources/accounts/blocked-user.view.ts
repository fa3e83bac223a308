import { type PublicUserView, toPublicUserView } from '../sensors/sensor.view';
import type { BlockedUser } from './blocked-users.service';

/** A user whose shares you refuse. */
export interface BlockedUserView extends PublicUserView {
  /**
   * Whether you refuse all their sensors; `false`: only those that you removed yourself from.
   * @example true
   */
  blocked: boolean;
}

/** The response with one blocked user. */
export interface BlockedUserResponse {
  user: BlockedUserView;
}

/** The response with a page of blocked users. */
export interface BlockedUsersResponse {
  users: BlockedUserView[];
  /**
   * The number of users on all pages; only with `total=1`.
   * @isLong
   * @example 1
   */
  total?: number;
}

export function toBlockedUserView({ user, isBlocked }: BlockedUser): BlockedUserView {
  return { ...toPublicUserView(user), blocked: isBlocked };
}
