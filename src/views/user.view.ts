import type { User } from '../models/user.model';

/** One's own account. The password is never part of it. */
export interface UserView {
  id: string;
  email: string;
  username: string;
  name: string;
  surname: string;
  address: string;
  zipcode: string;
  country: string;
  mobile: string;
  UUID: string;
  /** Always null: kept for old clients. */
  openid: null;
}

/** The answer that carries one user. */
export interface UserAnswer {
  user: UserView;
}

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
