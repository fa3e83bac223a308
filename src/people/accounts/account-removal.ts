import { randomUUID } from 'node:crypto';
import type { Transaction } from 'sequelize';
import type { RemovalStep } from '../../access/removal-step';
import { editRules } from '../../access/rule-edit';
import { hasTriggers } from '../../alerts';
import { hasNotifications } from '../../notifications';
import type { Clock } from '../../platform/clock';
import type { Logger } from '../../platform/logger';
import type { Database } from '../../storage';
import { ApiKey } from '../../storage/models/api-key.model';
import { Application } from '../../storage/models/application.model';
import { DeletedThing } from '../../storage/models/deleted-thing.model';
import { GroupUser } from '../../storage/models/group-user.model';
import { Sensor } from '../../storage/models/sensor.model';
import { User } from '../../storage/models/user.model';
import { inTransaction } from '../../storage/transaction';
import { endSessions } from './account-access';
import { keysOf } from './username-looks';

/** Maximum time that a request works on a removal; the purge does the rest. */
const MAX_MS_OF_A_REQUEST = 1_000;
/** How long the purge leaves a closed account to the request that closed it. */
const PURGED_AFTER_MS = 10_000;

/** Deletes accounts: closes the account so that it is unusable, then removes all its data in small transactions. */
export class AccountRemoval {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly steps: readonly RemovalStep[],
  ) {}

  /**
   * Closes the account permanently: its sessions and keys end, its username becomes free, and its personal data is
   * erased. From then on the removal is certain, even if this process dies.
   */
  async close(userId: number): Promise<void> {
    const nowMs = this.clock.now();
    const unknown = `deleted-${randomUUID()}`; // unknown to all users, so it cannot be registered
    const nobody = { username: unknown, ...keysOf(unknown), email: '', name: '', surname: '', passwordHash: '' };
    const nowhere = { mobile: '', address: '', zipcode: '', country: '', timezone: null };
    await inTransaction(this.database.sequelize, async (transaction) => {
      const user = await User.findByPk(userId, { transaction, lock: transaction.LOCK.UPDATE });
      if (!user || user.closedMs !== null) return;
      await user.update({ ...nobody, ...nowhere, closedMs: nowMs }, { transaction });
      await endSessions(userId, transaction);
      await ApiKey.destroy({ where: { ownerId: userId }, transaction });
      const times = { createdMs: nowMs, retryAtMs: nowMs + PURGED_AFTER_MS };
      await DeletedThing.create({ kind: 'user', thingId: userId, ownerId: userId, ...times }, { transaction });
    });
  }

  /**
   * Removes as much as a request has time for, beginning with the data that others can see. Never fails, because the
   * account is closed.
   */
  async begin(userId: number): Promise<void> {
    try {
      if (!(await this.remove(userId, MAX_MS_OF_A_REQUEST))) return;
      await DeletedThing.update({ retryAtMs: 0 }, { where: { kind: 'user', thingId: userId } });
    } catch (error) {
      this.logger.warn({ userId, err: error }, 'a closed account is left to the purge');
    }
  }

  /** Continues the removal for at most `maxMs`. Returns true when the account and all its data are gone. */
  async remove(userId: number, maxMs: number): Promise<boolean> {
    const untilMs = performance.now() + maxMs;
    for (;;) {
      if (!(await this.takeSteps(userId, untilMs))) return false;
      if (await inTransaction(this.database.sequelize, (transaction) => removeUser(userId, transaction))) return true;
      // A request that was running when the account was closed has added data.
      if (performance.now() > untilMs) return false;
    }
  }

  /** Repeats the steps until they find nothing more. Returns false if the time is over before that. */
  private async takeSteps(userId: number, untilMs: number): Promise<boolean> {
    for (const step of this.steps) {
      while (await editRules(this.database.sequelize, (edit) => step(userId, edit))) {
        if (performance.now() > untilMs) return false;
      }
    }
    return true;
  }
}

/** Deletes the account's row, and by foreign keys the small rest. Returns false if there is more than that. */
async function removeUser(userId: number, transaction: Transaction): Promise<boolean> {
  const user = await User.findByPk(userId, { transaction, lock: transaction.LOCK.UPDATE });
  if (!user) return true;
  if (user.closedMs === null) throw new Error(`the account ${userId} is not closed`);
  const where = { ownerId: userId };
  const hasMore =
    (await Sensor.count({ where, transaction })) > 0 ||
    (await hasTriggers(userId, transaction)) ||
    (await hasNotifications(userId, transaction)) ||
    (await Application.count({ where, transaction })) > 0 ||
    (await GroupUser.count({ where: { userId }, transaction })) > 0;
  if (hasMore) return false;
  await user.destroy({ transaction });
  return true;
}
