import type { Transaction } from 'sequelize';
import type { GroupRight } from '../../domain/group-rights';
import { Forbidden, NotFound } from '../../errors';
import { GroupUser } from '../../models/group-user.model';
import { UserGroup } from '../../models/user-group.model';
import { hasRight, isMember, mayKnow, mayReadGroup } from '../../policies/group.policy';

/** A group as one user meets it. */
export interface AccessedGroup {
  group: UserGroup;
  /** null when the user neither is a member nor asked to be one. */
  membership: GroupUser | null;
}

/** A group as one of its accepted members meets it. */
export interface MembersGroup extends AccessedGroup {
  membership: GroupUser;
}

const REASONS: Record<GroupRight, string> = {
  listUsers: 'list its users',
  addUsers: 'add users to it',
  removeUsers: 'remove users from it',
  listSensors: 'list its sensors',
  addSensors: 'add sensors to it',
  removeSensors: 'remove sensors from it',
  editGroup: 'edit it',
};

/**
 * Answers who may do what with which group. Nothing is remembered: a right that was taken away is gone with the next
 * request. Within a transaction the group stays locked, so that of two changes to a group one waits for the other.
 */
export class GroupAccess {
  /** The group, when the user may read it; Forbidden when he may only know of it, else NotFound. */
  async load(userId: number, groupId: number, transaction?: Transaction): Promise<AccessedGroup> {
    const { group, membership } = await this.known(userId, groupId, transaction);
    if (!mayReadGroup(group, membership)) throw new Forbidden('only members may see this group');
    return { group, membership };
  }

  /** The group, when the user is an accepted member. */
  async requireMember(userId: number, groupId: number, transaction?: Transaction): Promise<MembersGroup> {
    const { group, membership } = await this.known(userId, groupId, transaction);
    if (!isMember(membership)) throw new Forbidden('only members of the group may do this');
    return { group, membership };
  }

  /** The group, when the user is a member with this right. */
  async require(userId: number, groupId: number, right: GroupRight, transaction?: Transaction): Promise<MembersGroup> {
    const found = await this.requireMember(userId, groupId, transaction);
    if (!hasRight(found.membership, right)) throw new Forbidden(`in this group you may not ${REASONS[right]}`);
    return found;
  }

  /** The group, when the user may know of it. */
  async known(userId: number, groupId: number, transaction?: Transaction): Promise<AccessedGroup> {
    const found = await this.find(userId, groupId, transaction);
    if (!mayKnow(found.group, found.membership)) throw new NotFound('the group');
    return found;
  }

  /** The group, for whoever names it: whoever knows its id may ask to join it, hidden or not. */
  async find(userId: number, groupId: number, transaction?: Transaction): Promise<AccessedGroup> {
    const group = await UserGroup.findByPk(groupId, { transaction, lock: transaction?.LOCK.UPDATE });
    if (!group) throw new NotFound('the group');
    return { group, membership: await GroupUser.findOne({ where: { groupId, userId }, transaction }) };
  }
}
