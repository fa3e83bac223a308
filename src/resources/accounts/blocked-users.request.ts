import type { NamedUser } from '../sensors/sensor-users.request';

/** Blocks a user. */
export interface BlockUserRequest {
  user: NamedUser;
}
