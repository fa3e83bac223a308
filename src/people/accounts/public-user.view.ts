import type { ShownUser } from '../../access/shown-users';
import type { PageTotal } from '../../edge/paging';

/** The details of a user that others see. `name`, `surname` and `email` are empty unless a group shows them to you. */
export interface PublicUserView {
  /** @example "2" */
  id: string;
  /** @example "grace" */
  username: string;
  /** @example "Grace" */
  name: string;
  /** @example "Hopper" */
  surname: string;
  /** @example "grace@example.org" */
  email: string;
}

/** The response with one user. */
export interface PublicUserResponse {
  user: PublicUserView;
}

/** The response with a page of users. */
export interface PublicUsersResponse extends PageTotal {
  users: PublicUserView[];
}

export function toPublicUserView(user: ShownUser): PublicUserView {
  return { id: String(user.id), username: user.username, name: user.name, surname: user.surname, email: user.email };
}
