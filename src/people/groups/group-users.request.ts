import { GROUP_RIGHTS } from '../../access/group-rights';
import { readId } from '../../edge/id';
import { readListOrSingle } from '../../edge/list-or-single';
import type { Details, PageQuery } from '../../edge/paging';
import { toColumns } from '../../edge/renaming';
import { SHOWN_DETAILS } from '../../edge/shown-details';
import { withoutUndefined } from '../../platform/without-undefined';
import type { PasswordDigest } from '../accounts/sessions.request';

/** Refers to a user by id, by username, or by both. */
export interface UserReferenceFields {
  /**
   * @maxLength 20
   * @example "2"
   */
  id?: string;
  /**
   * @maxLength 255
   * @example "grace"
   */
  username?: string;
}

/** The rights of a member in a group. */
export interface GroupPermissionFields {
  /** @example true */
  list_users?: boolean;
  /** @example false */
  add_users?: boolean;
  /** @example false */
  remove_users?: boolean;
  /** @example true */
  list_sensors?: boolean;
  /** @example true */
  add_sensors?: boolean;
  /** @example false */
  remove_sensors?: boolean;
  /**
   * Whether the member may see the alerts of triggers that members show to the group.
   * @example true
   */
  see_alerts?: boolean;
  /**
   * Whether the member may also acknowledge, assign, resolve and mute these alerts.
   * @example false
   */
  handle_alerts?: boolean;
  /**
   * Whether the member may change the rights of members.
   * @example false
   */
  edit_group?: boolean;
}

/** The details that a member shows, beyond what the group asks for. */
export interface DisplayUserInfoFields {
  /** @example true */
  show_first_name?: boolean;
  /** @example true */
  show_surname?: boolean;
  /** @example false */
  show_email?: boolean;
  /** @example false */
  show_phone_number?: boolean;
  /** @example true */
  show_username?: boolean;
  /** @example true */
  show_id?: boolean;
}

/**
 * The id of one of your own sensors.
 * @maxLength 20
 */
export type OwnSensorId = string;

interface MembershipFields {
  /** Ignored in a join request; members who accept a user may grant other rights than the defaults. */
  group_permissions?: GroupPermissionFields;
  display_user_info?: DisplayUserInfoFields;
  /**
   * The ids of your own sensors to share into the group.
   * @example ["42"]
   */
  sensors?: OwnSensorId[];
  /**
   * The access password of a private group, to join at once; an MD5 digest.
   * @example "e10adc3949ba59abbe56e057f20f883e"
   */
  access_password?: PasswordDigest;
}

/** A user to add: yourself, or one who waits to be accepted. */
export interface NewGroupUser extends MembershipFields {
  user: UserReferenceFields;
}

/** The users to add: a list, or a single `user`. */
export interface AddGroupUsersRequest extends MembershipFields {
  users?: NewGroupUser[];
  user?: UserReferenceFields;
}

/** The fields of a member that can be changed. */
export interface GroupUserChanges {
  group_permissions?: GroupPermissionFields;
  display_user_info?: DisplayUserInfoFields;
}

/** Changes a member; fields that are not given keep their values. */
export interface UpdateGroupUserRequest extends GroupUserChanges {
  /** The same fields, as in the record of a member. A field outside counts before the same one here. */
  user?: GroupUserChanges;
}

/** The details of a list of members. */
export interface GroupUserListQuery extends PageQuery {
  /**
   * `full` adds rights and display settings.
   * @example "full"
   */
  details?: Details;
}

/** The details of a member to show. */
export interface GroupUserQuery {
  /**
   * `full` adds rights and display settings.
   * @example "full"
   */
  details?: Details;
}

/** Reads the join requests from either form; at least one is required. */
export function readJoinRequests({ users, user, ...membership }: AddGroupUsersRequest) {
  const single = { name: '', item: user && { ...membership, user } };
  return readListOrSingle({ name: 'users', items: users }, single).map(({ item, path }) =>
    readJoinRequest(item, path === '' ? '' : `${path}.`),
  );
}

/** Reads the changes of a member from either form. A field outside `user` counts before the same one inside. */
export function readMemberUpdate({ user, ...body }: UpdateGroupUserRequest) {
  return readMemberChanges({ ...user, ...withoutUndefined(body) });
}

function readMemberChanges(body: GroupUserChanges) {
  return {
    rights: toColumns(body.group_permissions ?? {}, GROUP_RIGHTS),
    display: toColumns(body.display_user_info ?? {}, SHOWN_DETAILS),
  };
}

function readJoinRequest(one: NewGroupUser, path: string) {
  const sensors = (one.sensors ?? []).map((id, index) => ({
    id: readId(id, `sensor ${id}`),
    path: `${path}sensors[${index}]`,
  }));
  return {
    ...readMemberChanges(one),
    user: one.user,
    path: `${path}user`,
    sensors,
    accessPassword: one.access_password,
  };
}

/** Refers to a sensor by its id. */
export interface GroupSensorReference {
  /**
   * @maxLength 20
   * @example "42"
   */
  id: string;
}

/** The sensors to share into a group: a list, or a single `sensor`. */
export interface AddGroupSensorsRequest {
  sensors?: GroupSensorReference[];
  sensor?: GroupSensorReference;
}

/** The filters and details of a list of sensors of a group. */
export interface GroupSensorListQuery extends PageQuery {
  /**
   * `true`: only your own; `false`: only sensors of others.
   * @example true
   */
  owned?: boolean;
  /**
   * `true`: only sensors on a device, with `device_device_type` and `device_device_uuid` unless `owned` is given.
   * @example false
   */
  physical?: boolean;
  /**
   * `full` adds device, environment and owner; `no` leaves only the ids.
   * @example "full"
   */
  details?: Details;
}

/** Reads the named sensors with their paths; at least one is required. */
export function readGroupSensors({ sensors, sensor }: AddGroupSensorsRequest) {
  const named = readListOrSingle({ name: 'sensors', items: sensors }, { name: 'sensor', item: sensor });
  return named.map(({ item, path }) => ({ id: readId(item.id, `sensor ${item.id}`), path: `${path}.id` }));
}

/**
 * Reads the filter of a list, and whether the devices are requested. `physical` can only narrow the list: 0 is no
 * filter.
 */
export function readGroupSensorFilter({ owned, physical = false }: GroupSensorListQuery) {
  return { filter: { owned, physical }, withDevice: physical && owned === undefined };
}
