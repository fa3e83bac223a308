import type { NamedUser } from './sensor-users.request';

/** Blocks a user. */
export interface BlockUserRequest {
  user: NamedUser;
}
