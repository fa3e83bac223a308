import { toUnixSeconds } from '../../edge/dates';
import type { PageTotal } from '../../edge/paging';
import { fieldName } from '../../edge/renaming';
import { agreedDetails } from '../../edge/shown-details';
import type { UserGroup } from '../../storage/models/user-group.model';
import type { ReceivedInvitation } from './received-invitations.service';
import type { SentInvitation } from './sent-invitations.service';

/** An invitation that was sent: to a user, or as a link. */
export interface SentInvitationView {
  /** @example "12" */
  id: string;
  /**
   * The invited user; `null` for a link.
   * @example "grace"
   */
  username: string | null;
  /**
   * How many users can still accept it.
   * @isInt
   * @example 1
   */
  uses_left: number;
  /**
   * Whether the user declined it.
   * @example false
   */
  declined: boolean;
  /**
   * Unix seconds.
   * @example 1795200000
   */
  created: number;
  /**
   * Unix seconds: when it ends.
   * @example 1795804800
   */
  expires: number;
}

/** A new invitation. */
export interface NewInvitationView extends SentInvitationView {
  /**
   * The token of a link, which is shown here and never again; `null` for an invitation to a user. The link is the
   * address of the console, and `/console/invitations/{token}`.
   * @example "7Ldn0TtVbcTCBTlGq5m6Z4zq0T3rYkQfJ9w2nXhUa1s"
   */
  token: string | null;
}

/** An invitation to you, or a link that you have. */
export interface InvitationView {
  /** @example "12" */
  id: string;
  /**
   * The group that it is to; `null` for a sensor.
   * @example "9"
   */
  group_id: string | null;
  /**
   * The sensor that it is to; `null` for a group.
   * @example null
   */
  sensor_id: string | null;
  /**
   * The name of the group or the sensor.
   * @example "Tuesday rowers"
   */
  name: string;
  /**
   * The username of who invites you.
   * @example "grace"
   */
  inviter: string;
  /**
   * Unix seconds: when it ends.
   * @example 1795804800
   */
  expires: number;
  /**
   * Whether you have what it offers: you are a member, or see the sensor.
   * @example false
   */
  accepted: boolean;
  /**
   * The details that the members of the group see of you once you accept.
   * @example ["first_name", "surname", "id"]
   */
  shows: string[];
  /**
   * The names of your sensors that are shared into the group once you accept. Some may be required.
   * @example ["position"]
   */
  sensors: string[];
}

/** The response with a new invitation. */
export interface NewInvitationResponse {
  invitation: NewInvitationView;
}

/** The response with a page of sent invitations. */
export interface SentInvitationsResponse extends PageTotal {
  invitations: SentInvitationView[];
}

/** The response with one invitation to you. */
export interface InvitationResponse {
  invitation: InvitationView;
}

/** The response with a page of invitations to you. */
export interface InvitationsResponse extends PageTotal {
  invitations: InvitationView[];
}

export function toSentInvitationView({ invitation, username }: SentInvitation): SentInvitationView {
  const { id, usesLeft, declined, createdMs, expiresMs } = invitation;
  const dates = { created: toUnixSeconds(createdMs), expires: toUnixSeconds(expiresMs) };
  return { id: String(id), username, uses_left: usesLeft, declined, ...dates };
}

export function toNewInvitationView(sent: SentInvitation): NewInvitationView {
  return { ...toSentInvitationView(sent), token: sent.token ?? null };
}

export function toInvitationView({ offer, group }: ReceivedInvitation): InvitationView {
  const { id, groupId, sensorId, name, inviter, expiresMs, isAccepted } = offer;
  return {
    id: String(id),
    group_id: groupId === null ? null : String(groupId),
    sensor_id: sensorId === null ? null : String(sensorId),
    name,
    inviter,
    expires: toUnixSeconds(expiresMs),
    accepted: isAccepted,
    shows: group ? detailsOf(group) : [],
    sensors: group ? [...group.requiredSensorNames, ...group.optionalSensorNames] : [],
  };
}

/** `agreedFirstName` → `first_name`. */
function detailsOf(group: UserGroup): string[] {
  const agreed = Object.entries(agreedDetails(group)).filter(([, isAgreed]) => isAgreed);
  return agreed.map(([name]) => fieldName(name).replace('agreed_', ''));
}
