import type { Transaction } from 'sequelize';
import type { Caller } from '../../caller';
import type { Database } from '../../database';
import { inTransaction } from '../../database/transaction';
import type { GroupRights } from '../../domain/group-rights';
import type { DisplaySettings } from '../../domain/shown-details';
import { Forbidden, NotFound } from '../../errors';
import { GroupUser } from '../../models/group-user.model';
import { User } from '../../models/user.model';
import type { UserGroup } from '../../models/user-group.model';
import { hasRight, mayKnow } from '../../policies/group.policy';
import type { AccessedGroup, GroupAccess } from '../access/group-access';
import type { NamedSensor } from '../access/own-sensors';
import type { UserReference, UsersService } from '../accounts/users.service';
import type { GroupAdmission } from './group-admission';
import type { GroupDoor } from './group-door';
import { type GroupMember, withUsers } from './group-members';

/** One user whom a request adds to a group: the caller himself, or one who waits to be accepted. */
export interface Addition {
  user: UserReference;
  /** Where the request names the user. */
  path: string;
  rights: Partial<GroupRights>;
  display: Partial<DisplaySettings>;
  sensors: readonly NamedSensor[];
  accessPassword?: string;
}

interface NamedAddition extends Addition {
  userId: number;
}

/** The named users in the group, as they are now. */
export interface Added {
  group: UserGroup;
  members: GroupMember[];
}

/** The ways into a group: users add themselves, and members with the right accept those who wait. */
export class GroupJoiningService {
  constructor(
    private readonly database: Database,
    private readonly users: UsersService,
    private readonly access: GroupAccess,
    private readonly door: GroupDoor,
    private readonly admission: GroupAdmission,
  ) {}

  /** Adds all of them or none. Who is in the group already stays as he is, but may offer sensors. Answers the memberships as they are then. */
  async add(caller: Caller, groupId: number, additions: readonly Addition[]): Promise<Added> {
    const named: NamedAddition[] = [];
    for (const addition of additions) {
      named.push({ ...addition, userId: (await this.users.findByIdOrUsername(addition.user, addition.path)).id });
    }
    const opened = await this.open(caller, groupId, named);
    const ids = [...new Set(named.map(({ userId }) => userId))];
    return inTransaction(this.database.sequelize, async (transaction) => {
      await lockUsers(ids, transaction);
      const found = await this.access.find(caller.userId, groupId, transaction);
      for (const addition of named) {
        if (addition.userId === caller.userId) await this.join(found, addition, opened, transaction);
        else await this.accept(found, caller, addition, transaction);
      }
      const where = { groupId, userId: ids };
      const memberships = await GroupUser.findAll({ where, order: ['userId'], transaction });
      return { group: found.group, members: await withUsers(memberships, transaction) };
    });
  }

  /**
   * Checks the access password where one is given and needed, before anything is locked, since it takes its time.
   * Answers the hash that it opened.
   */
  private async open(caller: Caller, groupId: number, named: readonly NamedAddition[]): Promise<string | null> {
    const { group, membership } = await this.access.find(caller.userId, groupId);
    const digest = named.find(({ userId }) => userId === caller.userId)?.accessPassword;
    if (digest === undefined || group.isPublic || membership?.accepted) return null;
    await this.door.check(caller, group, digest);
    return group.accessPasswordHash;
  }

  private async join(
    { group }: AccessedGroup,
    { userId, display, sensors }: NamedAddition,
    opened: string | null,
    transaction: Transaction,
  ): Promise<void> {
    await this.admission.checkOffer(userId, sensors);
    const mayEnter = group.isPublic || (opened !== null && opened === group.accessPasswordHash);
    const membership = await GroupUser.findOne({ where: { groupId: group.id, userId }, transaction });
    if (!membership) await this.admission.enter(group, { userId, display, sensors }, mayEnter, transaction);
    else if (!membership.accepted && mayEnter) {
      await this.admission.accept(group, membership, { sensors, actorId: userId }, transaction);
    } else await this.admission.offer(group, membership, sensors, transaction);
  }

  /** What the other one shows of himself stays his own choice, whatever the caller sends with it. */
  private async accept(
    { group, membership }: AccessedGroup,
    caller: Caller,
    { userId, rights }: NamedAddition,
    transaction: Transaction,
  ): Promise<void> {
    if (!mayKnow(group, membership)) throw new NotFound('the group');
    if (!hasRight(membership, 'addUsers')) throw new Forbidden('in this group you may add nobody but yourself');
    const waiting = await GroupUser.findOne({ where: { groupId: group.id, userId }, transaction });
    if (!waiting) throw new Forbidden('users ask to join a group themselves; this one did not');
    if (waiting.accepted) return;
    await this.admission.accept(group, waiting, { granted: rights, actorId: caller.userId }, transaction);
  }
}

/** Users first, then the group: the order of whoever removes his account. */
async function lockUsers(ids: readonly number[], transaction: Transaction): Promise<void> {
  const users = await User.findAll({
    attributes: ['id'],
    where: { id: [...ids] },
    order: ['id'],
    lock: transaction.LOCK.SHARE,
    transaction,
  });
  if (users.length < ids.length) throw new NotFound('the user');
}
