import { DEFAULT_RIGHTS } from '../../access/group-rights';
import { isEmailAddress } from '../../edge/mail-address';
import type { PageQuery, SortDirection } from '../../edge/paging';
import { toColumns } from '../../edge/renaming';
import { DEMANDED_DETAILS } from '../../edge/shown-details';
import { InvalidInput } from '../../platform/errors';
import { withoutUndefined } from '../../platform/without-undefined';
import type { PasswordDigest } from '../accounts/sessions.request';
import type { ShortText } from '../accounts/users.request';

/**
 * The name of a sensor.
 * @minLength 1
 * @maxLength 255
 */
export type SensorName = string;

/** The optional fields of the group. */
export interface GroupFields {
  /**
   * @minLength 1
   * @maxLength 255
   * @example "Tuesday rowers"
   */
  name?: string;
  /**
   * @maxLength 254
   * @example "rowing@example.org"
   */
  email?: string;
  /**
   * The username of the group.
   * @example "rowers"
   */
  username?: ShortText;
  /** @example "+31612345678" */
  mobile?: ShortText;
  /**
   * @maxLength 10000
   * @example "Everybody who rows on Tuesdays"
   */
  description?: string;
  /**
   * Every user may join.
   * @example false
   */
  public?: boolean;
  /**
   * Only members can see the group; it is not listed for others.
   * @example false
   */
  hidden?: boolean;
  /**
   * Members show only what they choose to show; the group requires nothing of users who join.
   * @example false
   */
  anonymous?: boolean;
  /**
   * The password of the group, as an MD5 digest.
   * @example "5f4dcc3b5aa765d61d8327deb882cf99"
   */
  password?: PasswordDigest;
  /**
   * With this password users can join a private group at once; an MD5 digest.
   * @example "e10adc3949ba59abbe56e057f20f883e"
   */
  access_password?: PasswordDigest;
  /**
   * The names of sensors that a user must have to join. They are shared into the group.
   * @example ["position"]
   */
  required_sensors?: SensorName[];
  /**
   * The names of sensors that are shared into the group if a new member has them.
   * @example ["heart rate"]
   */
  optional_sensors?: SensorName[];
  /**
   * Whether new members may list users.
   * @example true
   */
  default_list_users?: boolean;
  /**
   * Whether new members may add users.
   * @example false
   */
  default_add_users?: boolean;
  /**
   * Whether new members may remove users.
   * @example false
   */
  default_remove_users?: boolean;
  /**
   * Whether new members may list sensors.
   * @example true
   */
  default_list_sensors?: boolean;
  /**
   * Whether new members may add sensors.
   * @example true
   */
  default_add_sensors?: boolean;
  /**
   * Whether new members may remove sensors.
   * @example false
   */
  default_remove_sensors?: boolean;
  /**
   * Whether new members may see the alerts of triggers that members show to the group.
   * @example false
   */
  default_see_alerts?: boolean;
  /**
   * Whether new members may also acknowledge, assign, resolve and mute them.
   * @example false
   */
  default_handle_alerts?: boolean;
  /**
   * Whether users who join must show their first name.
   * @example true
   */
  required_show_first_name?: boolean;
  /**
   * Whether users who join must show their surname.
   * @example true
   */
  required_show_surname?: boolean;
  /**
   * Whether users who join must show their email.
   * @example false
   */
  required_show_email?: boolean;
  /**
   * Whether users who join must show their phone number.
   * @example false
   */
  required_show_phone_number?: boolean;
  /**
   * Whether users who join must show their username.
   * @example false
   */
  required_show_username?: boolean;
  /**
   * Whether users who join must show their id.
   * @example true
   */
  required_show_id?: boolean;
  /**
   * Whether users who join must show their zipcode.
   * @example true
   */
  required_show_zipcode?: boolean;
  /**
   * Whether users who join must show their address.
   * @example true
   */
  required_show_address?: boolean;
  /**
   * Whether users who join must show their country.
   * @example true
   */
  required_show_country?: boolean;
}

/** A new group; only the name is required. */
export interface NewGroupFields extends GroupFields {
  /**
   * @minLength 1
   * @maxLength 255
   * @example "Tuesday rowers"
   */
  name: string;
}

/** Creates a group. */
export interface CreateGroupRequest {
  group: NewGroupFields;
}

/** Changes a group; fields that are not given keep their values. */
export interface UpdateGroupRequest {
  group: GroupFields;
}

/** The filter and order of a list of groups. */
export interface GroupListQuery extends PageQuery {
  /**
   * `true`: only public groups; `false`: only private ones.
   * @example true
   */
  public?: boolean;
  /**
   * The order; ascending if not given.
   * @example "ASC"
   */
  sort?: SortDirection;
  /**
   * The sort key; the id if not given. The `username` and `email` of a group that you cannot read count as empty.
   * @example "name"
   */
  sort_field?: 'id' | 'username' | 'email' | 'public' | 'description' | 'name';
}

/** Reads the given fields of a group. */
export function readGroup({ public: isPublic, hidden, anonymous, ...fields }: GroupFields) {
  if (fields.email !== undefined && !isEmailAddress(fields.email))
    throw InvalidInput.field('group.email', 'must be an email address');
  const switches = withoutUndefined({ isPublic, isHidden: hidden, isAnonymous: anonymous });
  return {
    ...toColumns(fields, ['name', 'email', 'username', 'mobile', 'description', 'password', 'accessPassword']),
    ...toColumns(fields, ['requiredSensors', 'optionalSensors']),
    ...toColumns(fields, DEFAULT_RIGHTS),
    ...toColumns(fields, DEMANDED_DETAILS),
    ...switches,
  };
}

/** Reads the filter and order of a list of groups. */
export function readGroupFilter(query: GroupListQuery) {
  return {
    isPublic: query.public,
    sortField: query.sort_field ?? 'id',
    sort: query.sort ?? 'ASC',
  } as const;
}
