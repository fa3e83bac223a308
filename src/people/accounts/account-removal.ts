import { randomUUID } from 'node:crypto';
import type { Transaction } from 'sequelize';
import type { RemovalStep } from '../../access/removal-step';
import { editRules } from '../../access/rule-edit';
import { unrecorded } from '../../audit';
import { hasNotifications } from '../../notifications';
import type { Clock } from '../../platform/clock';
import type { Logger } from '../../platform/logger';
import type { Database } from '../../storage';
import { ApiKey } from '../../storage/models/api-key.model';
import { Application } from '../../storage/models/application.model';
import { DeletedThing } from '../../storage/models/deleted-thing.model';
import { GroupUser } from '../../storage/models/group-user.model';
import { Identity } from '../../storage/models/identity.model';
import { Sensor } from '../../storage/models/sensor.model';
import { User } from '../../storage/models/user.model';
import { inTransaction } from '../../storage/transaction';
import { removeSecondFactors } from '../factors/second-factors';
import { endSessions } from './account-access';
import { keysOf } from './username-looks';

const MAX_MS_OF_A_REQUEST = 1_000;
/** The request that closed the account has this long. */
const PURGED_AFTER_MS = 10_000;

/** True if the user still has some of a kind of thing. */
type HasThings = (userId: number, transaction: Transaction) => Promise<boolean>;

/** Closes the account, so that it is unusable, then removes all its data in small transactions. */
export class AccountRemoval {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly steps: readonly RemovalStep[],
    private readonly hasTriggers: HasThings,
  ) {}

  /**
   * Permanent: sessions and keys end, the username becomes free, personal data is erased. The removal is certain, even
   * if this process dies.
   */
  async close(userId: number): Promise<void> {
    const nowMs = this.clock.now();
    const unknown = `deleted-${randomUUID()}`; // unknown to all users, so it cannot be registered
    const nobody = { username: unknown, ...keysOf(unknown), email: '', name: '', surname: '', passwordHash: '' };
    const nowhere = { mobile: '', address: '', zipcode: '', country: '', timezone: null, language: null };
    await inTransaction(this.database.sequelize, async (transaction) => {
      const user = await User.findByPk(userId, { transaction, lock: transaction.LOCK.UPDATE });
      if (!user || user.closedMs !== null) return;
      await user.update({ ...nobody, ...nowhere, closedMs: nowMs }, { transaction });
      await endSessions(userId, transaction);
      await removeSecondFactors(userId, transaction);
      await ApiKey.destroy({ where: { ownerId: userId }, transaction });
      await Identity.destroy({ where: { userId }, transaction });
      const times = { createdMs: nowMs, retryAtMs: nowMs + PURGED_AFTER_MS };
      await DeletedThing.create({ kind: 'user', thingId: userId, ownerId: userId, ...times }, { transaction });
    });
  }

  /** Does as much as a request has time for, beginning with what others can see. Never fails: the account is closed. */
  async begin(userId: number): Promise<void> {
    try {
      if (!(await unrecorded(() => this.remove(userId, MAX_MS_OF_A_REQUEST)))) return;
      await DeletedThing.update({ retryAtMs: 0 }, { where: { kind: 'user', thingId: userId } });
    } catch (error) {
      this.logger.warn({ userId, err: error }, 'a closed account is left to the purge');
    }
  }

  /** Returns true when the account and all its data are gone. */
  async remove(userId: number, maxMs: number): Promise<boolean> {
    const untilMs = performance.now() + maxMs;
    for (;;) {
      if (!(await this.takeSteps(userId, untilMs))) return false;
      if (await inTransaction(this.database.sequelize, (transaction) => this.removeUser(userId, transaction)))
        return true;
      // A request that was running when the account was closed has added data.
      if (performance.now() > untilMs) return false;
    }
  }

  /** Returns false if the time is over before the steps find nothing. */
  private async takeSteps(userId: number, untilMs: number): Promise<boolean> {
    for (const step of this.steps) {
      while (await editRules(this.database.sequelize, (edit) => step(userId, edit))) {
        if (performance.now() > untilMs) return false;
      }
    }
    return true;
  }

  /** The rest follows by foreign keys. Returns false if there is more than that. */
  private async removeUser(userId: number, transaction: Transaction): Promise<boolean> {
    const user = await User.findByPk(userId, { transaction, lock: transaction.LOCK.UPDATE });
    if (!user) return true;
    if (user.closedMs === null) throw new Error(`the account ${userId} is not closed`);
    const where = { ownerId: userId };
    const hasMore =
      (await Sensor.count({ where, transaction })) > 0 ||
      (await this.hasTriggers(userId, transaction)) ||
      (await hasNotifications(userId, transaction)) ||
      (await Application.count({ where, transaction })) > 0 ||
      (await GroupUser.count({ where: { userId }, transaction })) > 0;
    if (hasMore) return false;
    await user.destroy({ transaction });
    return true;
  }
}
