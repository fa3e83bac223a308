import type { Transaction } from 'sequelize';
import { hasRight, isMember, mayGrant, mayIdentify } from '../../access/group.policy';
import { findKnownGroup, requireRight } from '../../access/group-access';
import type { GroupRight, GroupRights } from '../../access/group-rights';
import type { Page, PageOf } from '../../edge/paging';
import { type DisplaySettings, type ShownDetail, shownDetails } from '../../edge/shown-details';
import type { EventLog } from '../../events/event-log';
import { Conflict, Forbidden, NotFound } from '../../platform/errors';
import type { Database } from '../../storage';
import { findPage } from '../../storage/find-page';
import { GroupUser } from '../../storage/models/group-user.model';
import { inTransaction } from '../../storage/transaction';
import { findMembers, type GroupMember } from './group-queries';

export interface MemberChanges {
  rights: Partial<GroupRights>;
  display: Partial<DisplaySettings>;
}

export interface SeenMembers extends PageOf<GroupMember> {
  viewer: GroupUser;
}

export interface SeenMember {
  viewer: GroupUser;
  member: GroupMember;
}

/** Waiting users are visible only to members who may accept them. */
export class GroupMembersService {
  constructor(
    private readonly database: Database,
    private readonly events: EventLog,
  ) {}

  /** Requires the right to list users. Includes waiting users if the viewer may accept them. */
  async list(viewerId: number, groupId: number, page: Page): Promise<SeenMembers> {
    const { membership: viewer } = await requireRight(viewerId, groupId, 'listUsers');
    const where = { groupId, ...(viewer.addUsers ? {} : { accepted: true }) };
    const { items, total } = await findPage(GroupUser, { where, order: ['userId'] }, page);
    return { viewer, items: await findMembers(items), total };
  }

  /** Requires the right to list users, except for one's own membership, accepted or not. */
  async find(viewerId: number, groupId: number, userId: number): Promise<SeenMember> {
    const viewer = await this.viewer(viewerId, groupId);
    if (viewerId !== userId) await requireRight(viewerId, groupId, 'listUsers');
    const membership = await this.target(viewer, userId);
    return { viewer, member: await withUser(membership) };
  }

  /** Members who may grant rights change them; shown details only the member themselves. */
  async update(callerId: number, groupId: number, userId: number, changes: MemberChanges): Promise<SeenMember> {
    return inTransaction(this.database.sequelize, async (transaction) => {
      const viewer = await this.viewer(callerId, groupId, transaction);
      const isOwn = callerId === userId;
      if (!isOwn) authoriseGrant(viewer);
      const membership = await this.target(viewer, userId, transaction);
      const changesRights = differs(changes.rights, membership);
      if (changesRights || isOnlyRights(changes)) authoriseGrant(viewer);
      if (!isOwn && differs(changes.display, membership)) {
        throw new Forbidden('only the members themselves may change the details that they show');
      }
      if (changesRights && !membership.accepted) throw new Conflict('the user is not accepted yet');
      await this.change(membership, changes, callerId, transaction);
      const member = await withUser(membership, transaction);
      return { viewer: isOwn ? membership : viewer, member };
    });
  }

  /** Accepted or waiting. */
  private async viewer(viewerId: number, groupId: number, transaction?: Transaction): Promise<GroupUser> {
    const { membership: viewer } = await findKnownGroup(viewerId, groupId, transaction);
    if (!viewer) throw new Forbidden('only members of the group may do this');
    return viewer;
  }

  private async target(viewer: GroupUser, userId: number, transaction?: Transaction): Promise<GroupUser> {
    if (viewer.userId === userId) return viewer;
    if (!isMember(viewer)) throw new Forbidden('only members of the group may do this');
    const membership = await GroupUser.findOne({ where: { groupId: viewer.groupId, userId }, transaction });
    const mayKnow = membership?.accepted || hasRight(viewer, 'addUsers');
    // Otherwise trying ids would reveal the identity of a member who hides it.
    const isIdentified = mayIdentify(viewer) || (membership && shownDetails(membership).id);
    if (!membership || !mayKnow || !isIdentified) throw new NotFound('the user in this group');
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
    // The audience is decided when the event is raised: a member who loses the right to list users, or gets it, is
    // notified.
    const losesSight = membership.listUsers && rights.listUsers === false;
    if (losesSight) await this.events.raise(transaction, changed);
    await membership.update({ ...rights, ...display }, { transaction });
    if (!losesSight) await this.events.raise(transaction, changed);
  }
}

async function withUser(membership: GroupUser, transaction?: Transaction): Promise<GroupMember> {
  const [member] = await findMembers([membership], transaction);
  if (!member) throw new NotFound('the user in this group');
  return member;
}

function authoriseGrant(viewer: GroupUser): void {
  if (!mayGrant(viewer)) throw new Forbidden('in this group you may not change the rights of members');
}

/**
 * Rights with display settings may be part of a whole record that is sent back; without them they are meant as a
 * change.
 */
function isOnlyRights({ rights, display }: MemberChanges): boolean {
  return Object.keys(rights).length > 0 && Object.keys(display).length === 0;
}

/** Clients send whole records back. */
function differs(fields: Partial<DisplaySettings> | Partial<GroupRights>, membership: GroupUser): boolean {
  const given = Object.entries(fields) as [ShownDetail | GroupRight, boolean][]; // the keys of both
  return given.some(([key, value]) => membership[key] !== value);
}
