import type { GroupRight, GroupRights } from '../rules/group-rights';

/** What relates a user to a group. */
export interface Membership extends GroupRights {
  accepted: boolean;
}

/** Which users may know of a group. */
export interface GroupVisibility {
  isPublic: boolean;
  isHidden: boolean;
}

/** May this user know that the group exists? A user who waits to be accepted may, since they asked to join. */
export function mayKnow(group: GroupVisibility, membership: Membership | null): boolean {
  return membership !== null || !group.isHidden;
}

/** May this user read the record of the group? */
export function mayReadGroup(group: GroupVisibility, membership: Membership | null): boolean {
  return isMember(membership) || (group.isPublic && !group.isHidden);
}

/** Is this user a member? Only accepted users are. */
export function isMember(membership: Membership | null): membership is Membership {
  return membership?.accepted === true;
}

/** May this user do what the right allows? */
export function hasRight(membership: Membership | null, right: GroupRight): boolean {
  return isMember(membership) && membership[right];
}

/** May this user let all new members have this right? Nobody may give to others, nor to a second self, what they lack. */
export function mayGiveToNewMembers(membership: Membership | null, right: GroupRight): boolean {
  return hasRight(membership, right) || mayGrant(membership);
}

/** May this user change the rights of members? */
export function mayGrant(membership: Membership | null): boolean {
  return hasRight(membership, 'addUsers') || hasRight(membership, 'editGroup');
}

/** May this member know the ids of users who hide them in the group? Accepting, changing and removing users requires these. */
export function mayIdentify(membership: Membership | null): boolean {
  return hasRight(membership, 'removeUsers') || mayGrant(membership);
}
