import type { User } from '../../storage/models/user.model';
import type { PasswordWarning } from './session.view';

/** Your own account, without the password. */
export interface UserView {
  /** @example "1" */
  id: string;
  /** @example "ada@example.org" */
  email: string;
  /** @example "ada" */
  username: string;
  /** @example "Ada" */
  name: string;
  /** @example "Lovelace" */
  surname: string;
  /** @example "12 St James Square" */
  address: string;
  /** @example "SW1Y 4JH" */
  zipcode: string;
  /** @example "United Kingdom" */
  country: string;
  /** @example "+44 20 7946 0018" */
  mobile: string;
  /** @example "18a95727-a523-4f29-bb76-c15f3d0e6fc2" */
  UUID: string;
  /**
   * Always null: kept for old clients.
   * @example null
   */
  openid: null;
}

/** The response with one user. */
export interface UserResponse {
  user: UserView;
}

/** The response with a changed account. */
export interface UpdatedUserResponse extends UserResponse, PasswordWarning {}

export function toUserView(user: User): UserView {
  return {
    id: String(user.id),
    email: user.email,
    username: user.username,
    name: user.name,
    surname: user.surname,
    address: user.address,
    zipcode: user.zipcode,
    country: user.country,
    mobile: user.mobile,
    UUID: user.uuid,
    openid: null,
  };
}
