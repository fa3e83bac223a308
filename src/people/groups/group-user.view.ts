import { GROUP_RIGHTS } from '../../access/group-rights';
import type { PageTotal } from '../../edge/paging';
import { toFields } from '../../edge/renaming';
import { SHOWN_DETAILS, shownDetails } from '../../edge/shown-details';
import type { GroupUser } from '../../storage/models/group-user.model';
import type { User } from '../../storage/models/user.model';

/** The rights of a member in a group. */
export interface GroupPermissionsView {
  /** @example true */
  list_users: boolean;
  /** @example false */
  add_users: boolean;
  /** @example false */
  remove_users: boolean;
  /** @example true */
  list_sensors: boolean;
  /** @example true */
  add_sensors: boolean;
  /** @example false */
  remove_sensors: boolean;
  /** @example true */
  see_alerts: boolean;
  /** @example false */
  handle_alerts: boolean;
  /** @example false */
  edit_group: boolean;
}

/** The details that a member chose to show, beyond what the group asked for when they joined. */
export interface DisplayUserInfoView {
  /** @example true */
  show_first_name: boolean;
  /** @example true */
  show_surname: boolean;
  /** @example false */
  show_email: boolean;
  /** @example false */
  show_phone_number: boolean;
  /** @example true */
  show_username: boolean;
  /** @example true */
  show_id: boolean;
}

/**
 * The details that a member shows; the others are left out. Members who may accept a waiting user always see the
 * username.
 */
export interface ShownUserView {
  /** @example "2" */
  id?: string;
  /** @example "grace" */
  username?: string;
  /** @example "Grace" */
  name?: string;
  /** @example "Hopper" */
  surname?: string;
  /** @example "grace@example.org" */
  email?: string;
  /** @example "+31612345678" */
  mobile?: string;
  /** @example "Main street 1" */
  address?: string;
  /** @example "1234 AB" */
  zipcode?: string;
  /** @example "Netherlands" */
  country?: string;
}

/** A member of a group. */
export interface GroupUserView extends ShownUserView {
  /**
   * `false` while the user waits to be accepted. Only shown to members with the right to add users, and for yourself.
   * @example true
   */
  accepted?: boolean;
  /** Only with `details=full`. */
  group_permissions?: GroupPermissionsView;
  /** Only with `details=full`. */
  display_user_info?: DisplayUserInfoView;
}

/** The response with one member. */
export interface GroupUserResponse {
  user: GroupUserView;
}

/** The response with members. */
export interface GroupUsersResponse extends PageTotal {
  users: GroupUserView[];
}

/** The view of a member on others. */
export interface MemberSight {
  /** Members who accept or remove others need their ids, shown or not. */
  withId: boolean;
  withAccepted: boolean;
  details?: 'full' | 'no';
}

/** The view of an accepted member of the group on the others. */
export function sightOf({ addUsers, removeUsers }: GroupUser, details?: 'full' | 'no'): MemberSight {
  return { withId: addUsers || removeUsers, withAccepted: addUsers, details };
}

/**
 * The view on memberships of which the viewer may know everything except hidden details of users: the viewer's own, and
 * new ones.
 */
export function fullSight(details?: 'full' | 'no'): MemberSight {
  return { withId: true, withAccepted: true, details };
}

export function toGroupUserView(
  { membership, user }: { membership: GroupUser; user: User },
  { withId, withAccepted, details }: MemberSight,
): GroupUserView {
  // Members who accept a user must know their name. A waiting user knows that asking reveals it.
  const isNamed = withAccepted && !membership.accepted;
  return {
    ...(withId ? { id: String(user.id) } : {}),
    ...(isNamed ? { username: user.username } : {}),
    ...toShownUserView({ membership, user }),
    ...(withAccepted ? { accepted: membership.accepted } : {}),
    ...(details === 'full'
      ? {
          group_permissions: toFields(membership, GROUP_RIGHTS),
          display_user_info: toFields(membership, SHOWN_DETAILS),
        }
      : {}),
  };
}

/** The details that the member lets others see. */
function toShownUserView({ membership, user }: { membership: GroupUser; user: User }): ShownUserView {
  const { id, username, name, surname, email, mobile, address, zipcode, country } = user;
  const all = { id: String(id), username, name, surname, email, mobile, address, zipcode, country };
  const shown: Readonly<Record<string, boolean>> = shownDetails(membership);
  return Object.fromEntries(Object.entries(all).filter(([detail]) => shown[detail] === true));
}
