import { DEFAULT_RIGHTS } from '../../access/group-rights';
import type { PageTotal } from '../../edge/paging';
import { toFields } from '../../edge/renaming';
import { DEMANDED_DETAILS } from '../../edge/shown-details';
import type { UserGroup } from '../../storage/models/user-group.model';
import type { ListedGroup, MembershipState } from './group-queries';

/** A group in a list. */
export interface ListedGroupView {
  /** @example "9" */
  id: string;
  /** @example "Tuesday rowers" */
  name: string;
  /**
   * Empty for a private or hidden group, until you are accepted.
   * @example "Everybody who rows on Tuesdays"
   */
  description: string;
  /**
   * Every user may join.
   * @example false
   */
  public: boolean;
  /**
   * Whether you are a member: `membership` is `accepted`.
   * @example true
   */
  accepted: boolean;
  /**
   * `none`: you are not in it and have not asked; `pending`: you wait to be accepted; `accepted`: you are a member.
   * @example "accepted"
   */
  membership: MembershipState;
  /**
   * The number of users who wait until a member accepts them; 0 if you may not accept them.
   * @isInt
   * @example 0
   */
  requests: number;
}

/** A group, without its passwords. */
export interface GroupView {
  /** @example "9" */
  id: string;
  /** @example "Tuesday rowers" */
  name: string;
  /** @example "rowing@example.org" */
  email: string;
  /**
   * The username of the group.
   * @example "rowers"
   */
  username: string;
  /** @example "+31612345678" */
  mobile: string;
  /** @example "Everybody who rows on Tuesdays" */
  description: string;
  /**
   * Every user may join.
   * @example false
   */
  public: boolean;
  /**
   * Only members can see the group; it is not listed for others.
   * @example false
   */
  hidden: boolean;
  /**
   * Members show only what they choose to show; the group requires nothing of users who join.
   * @example false
   */
  anonymous: boolean;
  /**
   * Whether there is an access password, with which users can join at once.
   * @example true
   */
  has_access_password: boolean;
  /**
   * The names of sensors that a user must have to join. They are shared into the group.
   * @example ["position"]
   */
  required_sensors: string[];
  /**
   * The names of sensors that are shared into the group if a new member has them.
   * @example ["heart rate"]
   */
  optional_sensors: string[];
  /**
   * Whether new members may list users.
   * @example true
   */
  default_list_users: boolean;
  /**
   * Whether new members may add users.
   * @example false
   */
  default_add_users: boolean;
  /**
   * Whether new members may remove users.
   * @example false
   */
  default_remove_users: boolean;
  /**
   * Whether new members may list sensors.
   * @example true
   */
  default_list_sensors: boolean;
  /**
   * Whether new members may add sensors.
   * @example true
   */
  default_add_sensors: boolean;
  /**
   * Whether new members may remove sensors.
   * @example false
   */
  default_remove_sensors: boolean;
  /**
   * Whether new members may see the alerts of triggers that members show to the group.
   * @example false
   */
  default_see_alerts: boolean;
  /**
   * Whether new members may also acknowledge, assign, resolve and mute them.
   * @example false
   */
  default_handle_alerts: boolean;
  /**
   * Whether users who join must show their first name.
   * @example true
   */
  required_show_first_name: boolean;
  /**
   * Whether users who join must show their surname.
   * @example true
   */
  required_show_surname: boolean;
  /**
   * Whether users who join must show their email.
   * @example false
   */
  required_show_email: boolean;
  /**
   * Whether users who join must show their phone number.
   * @example false
   */
  required_show_phone_number: boolean;
  /**
   * Whether users who join must show their username.
   * @example false
   */
  required_show_username: boolean;
  /**
   * Whether users who join must show their id.
   * @example true
   */
  required_show_id: boolean;
  /**
   * Whether users who join must show their zipcode.
   * @example true
   */
  required_show_zipcode: boolean;
  /**
   * Whether users who join must show their address.
   * @example true
   */
  required_show_address: boolean;
  /**
   * Whether users who join must show their country.
   * @example true
   */
  required_show_country: boolean;
}

/** The response with one group. */
export interface GroupResponse {
  group: GroupView;
}

/** The response with a page of groups. */
export interface GroupsResponse extends PageTotal {
  groups: ListedGroupView[];
}

export function toGroupView(group: UserGroup): GroupView {
  return {
    id: String(group.id),
    ...toFields(group, ['name', 'email', 'username', 'mobile', 'description']),
    ...{ public: group.isPublic, hidden: group.isHidden, anonymous: group.isAnonymous },
    ...toFields(group, DEFAULT_RIGHTS),
    ...toFields(group, DEMANDED_DETAILS),
    has_access_password: group.accessPasswordHash !== null,
    required_sensors: group.requiredSensorNames,
    optional_sensors: group.optionalSensorNames,
  };
}

export function toListedGroupView(listed: ListedGroup): ListedGroupView {
  const { id, name, description, isPublic, membership, requests } = listed;
  const accepted = membership === 'accepted';
  return { id: String(id), name, description, public: isPublic, accepted, membership, requests };
}
