import type { GroupRight, GroupRights } from './group-rights';

/** The relation of a user to a group. */
export interface Membership extends GroupRights {
  accepted: boolean;
}

/** Who may know of a group. */
export interface GroupVisibility {
  isPublic: boolean;
  isHidden: boolean;
}

/** May this user know that the group exists? A user who waits to be accepted may, since they asked to join. */
export function mayKnow(group: GroupVisibility, membership: Membership | null): boolean {
  return membership !== null || !group.isHidden;
}

export function mayReadGroup(group: GroupVisibility, membership: Membership | null): boolean {
  return isMember(membership) || (group.isPublic && !group.isHidden);
}

/** Only accepted users are members. */
export function isMember(membership: Membership | null): membership is Membership {
  return membership?.accepted === true;
}

export function hasRight(membership: Membership | null, right: GroupRight): boolean {
  return isMember(membership) && membership[right];
}

/**
 * May this user let all new members have this right? Users must not give others, or a second account, rights that they
 * lack.
 */
export function mayGiveToNewMembers(membership: Membership | null, right: GroupRight): boolean {
  return hasRight(membership, right) || mayGrant(membership);
}

export function mayGrant(membership: Membership | null): boolean {
  return hasRight(membership, 'addUsers') || hasRight(membership, 'editGroup');
}

/**
 * May this member know the ids of users who hide them in the group? Accepting, changing and removing users requires
 * them.
 */
export function mayIdentify(membership: Membership | null): boolean {
  return hasRight(membership, 'removeUsers') || mayGrant(membership);
}
