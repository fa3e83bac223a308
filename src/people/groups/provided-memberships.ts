import { Op, type Transaction } from 'sequelize';
import type { EventLog } from '../../events/event-log';
import { PlatformError } from '../../platform/errors';
import type { Logger } from '../../platform/logger';
import type { Database } from '../../storage';
import { GroupUser } from '../../storage/models/group-user.model';
import { User } from '../../storage/models/user.model';
import { UserGroup } from '../../storage/models/user-group.model';
import { forShare, forUpdate, inTransaction } from '../../storage/transaction';
import { leaveGroup } from './group-departure';
import type { NewMembers } from './new-members';

/** Memberships that follow the groups at the identity provider. Those that people made stay. */
export class ProvidedMemberships {
  constructor(
    private readonly database: Database,
    private readonly newMembers: NewMembers,
    private readonly events: EventLog,
    private readonly logger: Logger,
  ) {}

  /** `wanted` are ids; undefined if the provider left them out. A group that cannot be joined is only logged. */
  async follow(userId: number, wanted: ReadonlySet<number> | undefined): Promise<void> {
    if (!wanted) return;
    const provided = await GroupUser.findAll({ attributes: ['groupId'], where: { userId, isProvided: true } });
    const leaves = provided.map(({ groupId }) => groupId).filter((groupId) => !wanted.has(groupId));
    for (const groupId of leaves) await this.leave(userId, groupId);
    for (const groupId of wanted) await this.join(userId, groupId);
  }

  private async join(userId: number, groupId: number): Promise<void> {
    try {
      await this.inGroup(userId, groupId, async (group, membership, transaction) => {
        if (!group) return this.logger.warn({ groupId }, 'OIDC_GROUPS names a group that does not exist');
        if (membership?.accepted) return;
        const applicant = { userId, display: {}, sensorIds: [], mayEnter: true };
        await this.newMembers.join({ group, membership }, applicant, transaction);
        await GroupUser.update({ isProvided: true }, { where: { groupId, userId }, transaction });
      });
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      this.logger.warn({ groupId, userId, reason: error.message }, 'a user does not join a group of OIDC_GROUPS');
    }
  }

  /** The last member stays: a group ends with its last one. */
  private async leave(userId: number, groupId: number): Promise<void> {
    await this.inGroup(userId, groupId, async (group, membership, transaction) => {
      const others = { groupId, accepted: true, userId: { [Op.ne]: userId } };
      if (!group || !membership?.isProvided || (await GroupUser.count({ where: others, transaction })) === 0) return;
      await leaveGroup(this.events, { group, userId, actorId: userId }, transaction);
    });
  }

  /** Locks the user before the group, as the deletion of a user does. */
  private inGroup(
    userId: number,
    groupId: number,
    act: (group: UserGroup | null, membership: GroupUser | null, transaction: Transaction) => Promise<void> | void,
  ): Promise<void> {
    return inTransaction(this.database.sequelize, async (transaction) => {
      const user = await User.findOne({ where: { id: userId, closedMs: null }, ...forShare(transaction) });
      if (!user) return;
      const group = await UserGroup.findByPk(groupId, forUpdate(transaction));
      const membership = await GroupUser.findOne({ where: { groupId, userId }, transaction });
      await act(group, membership, transaction);
    });
  }
}
