import type { Transaction } from 'sequelize';
import type { Database } from '../../database';
import { findPage } from '../../database/find-page';
import { inTransaction } from '../../database/transaction';
import type { GroupRight, GroupRights } from '../../domain/group-rights';
import type { Page, PageOf } from '../../domain/paging';
import type { DisplaySettings, ShownDetail } from '../../domain/shown-details';
import { Conflict, Forbidden, NotFound } from '../../errors';
import type { EventLog } from '../../events/event-log';
import { GroupUser } from '../../models/group-user.model';
import type { UserGroup } from '../../models/user-group.model';
import { hasRight, isMember, mayGrant } from '../../policies/group.policy';
import type { GroupAccess } from '../access/group-access';
import { leaveGroup } from './group-departure';
import { type GroupMember, withUsers } from './group-members';

/** What changes about a member; undefined stays. */
export interface MemberChanges {
  rights: Partial<GroupRights>;
  display: Partial<DisplaySettings>;
}

/** Members as one of them sees them. */
export interface SeenMembers extends PageOf<GroupMember> {
  group: UserGroup;
  viewer: GroupUser;
}

/** A member as another one, or he himself, sees him. */
export interface SeenMember {
  group: UserGroup;
  viewer: GroupUser;
  member: GroupMember;
}

/** The members of a group. Those who wait to be accepted exist only for members who may accept them. */
export class GroupUsersService {
  constructor(
    private readonly database: Database,
    private readonly access: GroupAccess,
    private readonly events: EventLog,
  ) {}

  async list(viewerId: number, groupId: number, page: Page): Promise<SeenMembers> {
    const { group, membership: viewer } = await this.access.require(viewerId, groupId, 'listUsers');
    const where = { groupId, ...(viewer.addUsers ? {} : { accepted: true }) };
    const { items, total } = await findPage(GroupUser, { where, order: ['userId'] }, page);
    return { group, viewer, items: await withUsers(items), total };
  }

  /** Another member needs the right to list; everybody may look at his own membership, accepted or not. */
  async find(viewerId: number, groupId: number, userId: number): Promise<SeenMember> {
    const { group, viewer } = await this.viewer(viewerId, groupId);
    if (viewerId !== userId) await this.access.require(viewerId, groupId, 'listUsers');
    const membership = await this.target(viewer, userId);
    return { group, viewer, member: await withUser(membership) };
  }

  /** Rights are changed by who may grant them; what a member shows of himself, only by himself. */
  async update(callerId: number, groupId: number, userId: number, changes: MemberChanges): Promise<SeenMember> {
    return inTransaction(this.database.sequelize, async (transaction) => {
      const { group, viewer } = await this.viewer(callerId, groupId, transaction);
      const isOwn = callerId === userId;
      if (!isOwn) authoriseGrant(viewer);
      const membership = await this.target(viewer, userId, transaction);
      const changesRights = differs(changes.rights, membership);
      if (changesRights || isOnlyRights(changes)) authoriseGrant(viewer);
      if (!isOwn && differs(changes.display, membership)) {
        throw new Forbidden('what members show is their own choice');
      }
      if (changesRights && !membership.accepted) throw new Conflict('the user is not accepted yet');
      await this.change(membership, changes, callerId, transaction);
      const member = await withUser(membership, transaction);
      return { group, viewer: isOwn ? membership : viewer, member };
    });
  }

  /** Takes a member out, or who waits; needs the right to remove, except for oneself. His sensors leave with him. */
  async remove(callerId: number, groupId: number, userId: number): Promise<void> {
    await inTransaction(this.database.sequelize, async (transaction) => {
      const { group } =
        callerId === userId
          ? await this.access.known(callerId, groupId, transaction)
          : await this.access.require(callerId, groupId, 'removeUsers', transaction);
      const membership = await GroupUser.findOne({ where: { groupId, userId }, transaction });
      if (!membership) throw new NotFound('the user in this group');
      await leaveGroup(this.events, { group, userId, actorId: callerId }, transaction);
    });
  }

  /** The caller, who is in the group or waits. */
  private async viewer(viewerId: number, groupId: number, transaction?: Transaction) {
    const { group, membership: viewer } = await this.access.known(viewerId, groupId, transaction);
    if (!viewer) throw new Forbidden('only members of the group may do this');
    return { group, viewer };
  }

  /** The membership of a user, as far as the viewer may know of it. */
  private async target(viewer: GroupUser, userId: number, transaction?: Transaction): Promise<GroupUser> {
    if (viewer.userId === userId) return viewer;
    if (!isMember(viewer)) throw new Forbidden('only members of the group may do this');
    const membership = await GroupUser.findOne({ where: { groupId: viewer.groupId, userId }, transaction });
    if (!membership || !(membership.accepted || hasRight(viewer, 'addUsers'))) {
      throw new NotFound('the user in this group');
    }
    return membership;
  }

  private async change(
    membership: GroupUser,
    { rights, display }: MemberChanges,
    callerId: number,
    transaction: Transaction,
  ): Promise<void> {
    const { userId, groupId } = membership;
    const changed = { name: 'update_group_user', subjectId: userId, sourceId: groupId, userId: callerId } as const;
    // Who may not list users any more, or may from now on, hears of just that.
    const losesSight = membership.listUsers && rights.listUsers === false;
    if (losesSight) await this.events.raise(transaction, changed);
    await membership.update({ ...rights, ...display }, { transaction });
    if (!losesSight) await this.events.raise(transaction, changed);
  }
}

async function withUser(membership: GroupUser, transaction?: Transaction): Promise<GroupMember> {
  const [member] = await withUsers([membership], transaction);
  if (!member) throw new NotFound('the user in this group');
  return member;
}

function authoriseGrant(viewer: GroupUser): void {
  if (!mayGrant(viewer)) throw new Forbidden('in this group you may not change the rights of members');
}

/** Beside display settings, rights may be those of a whole record that is sent back; alone they are meant. */
function isOnlyRights({ rights, display }: MemberChanges): boolean {
  return Object.keys(rights).length > 0 && Object.keys(display).length === 0;
}

/** Whether anything given is not so already: clients send whole records back. */
function differs(fields: Partial<DisplaySettings> | Partial<GroupRights>, membership: GroupUser): boolean {
  const given = Object.entries(fields) as [ShownDetail | GroupRight, boolean][]; // the keys of both
  return given.some(([key, value]) => membership[key] !== value);
}
