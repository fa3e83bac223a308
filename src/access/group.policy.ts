import type { GroupRight, GroupRights } from './group-rights';

export interface Membership extends GroupRights {
  accepted: boolean;
}

export interface GroupVisibility {
  isPublic: boolean;
  isHidden: boolean;
}

/** So may a user who asked to join. */
export function mayKnow(group: GroupVisibility, membership: Membership | null): boolean {
  return membership !== null || !group.isHidden;
}

export function mayReadGroup(group: GroupVisibility, membership: Membership | null): boolean {
  return isMember(membership) || (group.isPublic && !group.isHidden);
}

export function isMember(membership: Membership | null): membership is Membership {
  return membership?.accepted === true;
}

export function hasRight(membership: Membership | null, right: GroupRight): boolean {
  return isMember(membership) && membership[right];
}

/** Nobody may give others, or a second account, rights that they lack. */
export function mayGiveToNewMembers(membership: Membership | null, right: GroupRight): boolean {
  return hasRight(membership, right) || mayGrant(membership);
}

export function mayGrant(membership: Membership | null): boolean {
  return hasRight(membership, 'addUsers') || hasRight(membership, 'editGroup');
}

/** Also of users who hide them: changing and removing users needs them. */
export function mayIdentify(membership: Membership | null): boolean {
  return hasRight(membership, 'removeUsers') || mayGrant(membership);
}
