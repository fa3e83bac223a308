import type { Transaction } from 'sequelize';
import { hasRight, mayKnow } from '../../access/group.policy';
import { type AccessedGroup, findGroup, findKnownGroup, requireRight } from '../../access/group-access';
import type { GroupRights } from '../../access/group-rights';
import type { NamedSensor } from '../../access/own-sensors';
import type { DisplaySettings } from '../../edge/shown-details';
import type { EventLog } from '../../events/event-log';
import type { Caller } from '../../platform/caller';
import { Forbidden, NotFound } from '../../platform/errors';
import type { Database } from '../../storage';
import { GroupUser } from '../../storage/models/group-user.model';
import { User } from '../../storage/models/user.model';
import { forShare, inTransaction } from '../../storage/transaction';
import { findUsers, type NamedUser } from '../accounts/find-users';
import type { GuardedPasswords } from '../accounts/guarded-passwords';
import { leaveGroup } from './group-departure';
import { findMembers, type GroupMember } from './group-queries';
import type { GroupSensorsService } from './group-sensors.service';
import type { NewMembers } from './new-members';

/** The caller, who wants to join, or another user, who asked to join and is accepted. */
export interface JoinRequest extends NamedUser {
  /** Replace the defaults. */
  rights: Partial<GroupRights>;
  display: Partial<DisplaySettings>;
  sensors: readonly NamedSensor[];
  accessPassword?: string;
}

export class MembershipsService {
  constructor(
    private readonly database: Database,
    private readonly passwords: GuardedPasswords,
    private readonly groupSensors: GroupSensorsService,
    private readonly newMembers: NewMembers,
    private readonly events: EventLog,
  ) {}

  /**
   * Adds all or none, with a fixed number of statements: the caller joins or asks to; others, who asked, are accepted.
   * Members do not change, but the caller may offer more sensors. Returns current memberships.
   */
  async add(caller: Caller, groupId: number, requests: readonly JoinRequest[]): Promise<GroupMember[]> {
    const users = await findUsers(requests);
    const userIds = [...new Set(users.map(({ id }) => id))];
    const own = requests.filter((_, index) => users[index]?.id === caller.userId);
    const granted = new Map<number, Partial<GroupRights>>();
    for (const [index, { id }] of users.entries()) {
      if (id !== caller.userId && !granted.has(id)) granted.set(id, requests[index]?.rights ?? {});
    }
    const passedHash = await this.checkPassword(caller, groupId, own[0]?.accessPassword);
    return inTransaction(this.database.sequelize, async (transaction) => {
      await lockUsers(userIds, transaction);
      const found = await findGroup(caller.userId, groupId, transaction);
      if (own.length > 0) await this.join(found, caller.userId, own, passedHash, transaction);
      if (granted.size > 0) await this.accept(found, caller.userId, granted, transaction);
      const where = { groupId, userId: userIds };
      const memberships = await GroupUser.findAll({ where, order: ['userId'], transaction });
      return findMembers(memberships, transaction);
    });
  }

  /**
   * Removes a member, or refuses a waiting user. Requires the right to remove users, except for oneself. Sensors leave
   * as well, and the group is deleted with its last member.
   */
  async remove(callerId: number, groupId: number, userId: number): Promise<void> {
    await inTransaction(this.database.sequelize, async (transaction) => {
      const { group } =
        callerId === userId
          ? await findKnownGroup(callerId, groupId, transaction)
          : await requireRight(callerId, groupId, 'removeUsers', transaction);
      const membership = await GroupUser.findOne({ where: { groupId, userId }, transaction });
      if (!membership) throw new NotFound('the user in this group');
      await leaveGroup(this.events, { group, userId, actorId: callerId }, transaction);
    });
  }

  /** Lets a member leave who deletes the group; requires the right to remove users, as in the specification. */
  async leave(userId: number, groupId: number): Promise<void> {
    await inTransaction(this.database.sequelize, async (transaction) => {
      const { group } = await requireRight(userId, groupId, 'removeUsers', transaction);
      await leaveGroup(this.events, { group, userId, actorId: userId }, transaction);
    });
  }

  /**
   * Returns the hash, null if no password was given or is required. Throws Forbidden if it is wrong, TooMany after
   * many. Slow, so nothing is locked.
   */
  private async checkPassword(caller: Caller, groupId: number, digest: string | undefined): Promise<string | null> {
    const { group, membership } = await findGroup(caller.userId, groupId);
    if (digest === undefined || group.isPublic || membership?.accepted) return null;
    // Counted like refused logins, for each user and group.
    const guessed = { kind: 'group', name: `${group.id} ${caller.userId}` } as const;
    const attempt = { guessed, address: caller.network, digest };
    const matches = await this.passwords.matches(group.accessPasswordHash, attempt);
    if (!matches) throw new Forbidden('the access password is wrong');
    return group.accessPasswordHash;
  }

  /** If callers name themselves more than once, the first request counts, with the sensors of all. */
  private async join(
    { group, membership }: AccessedGroup,
    userId: number,
    requests: readonly JoinRequest[],
    passedHash: string | null,
    transaction: Transaction,
  ): Promise<void> {
    const sensors = requests.flatMap((request) => request.sensors);
    await this.groupSensors.requireOwn(userId, sensors);
    const sensorIds = [...new Set(sensors.map(({ id }) => id))];
    // The access password may have changed since the check.
    const mayEnter = group.isPublic || (passedHash !== null && passedHash === group.accessPasswordHash);
    const applicant = { userId, display: requests[0]?.display ?? {}, sensorIds, mayEnter };
    await this.newMembers.join({ group, membership }, applicant, transaction);
  }

  /** Shown details remain the user's own choice, regardless of the request. */
  private async accept(
    { group, membership }: AccessedGroup,
    callerId: number,
    granted: ReadonlyMap<number, Partial<GroupRights>>,
    transaction: Transaction,
  ): Promise<void> {
    if (!mayKnow(group, membership)) throw new NotFound('the group');
    if (!hasRight(membership, 'addUsers')) throw new Forbidden('in this group you may add only yourself');
    const where = { groupId: group.id, userId: [...granted.keys()] };
    const memberships = await GroupUser.findAll({ where, order: ['userId'], transaction });
    if (memberships.length < granted.size)
      throw new Forbidden('users ask to join a group themselves; not all of these did');
    const acceptances = memberships
      .filter(({ accepted }) => !accepted)
      .map((waiting) => ({ membership: waiting, granted: granted.get(waiting.userId) }));
    if (acceptances.length > 0) await this.newMembers.accept(group, acceptances, callerId, transaction);
  }
}

/** Users before the group, as the deletion of a user does. */
async function lockUsers(ids: readonly number[], transaction: Transaction): Promise<void> {
  const where = { id: [...ids], closedMs: null };
  const users = await User.findAll({ attributes: ['id'], where, order: ['id'], ...forShare(transaction) });
  if (users.length < ids.length) throw new NotFound('the user');
}
