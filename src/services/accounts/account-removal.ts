import { randomUUID } from 'node:crypto';
import type { Transaction } from 'sequelize';
import type { Clock } from '../../clock';
import type { Database } from '../../database';
import { inTransaction } from '../../database/transaction';
import type { Logger } from '../../logger';
import { DeletedThing } from '../../models/deleted-thing.model';
import { GroupUser } from '../../models/group-user.model';
import { Notification } from '../../models/notification.model';
import { Sensor } from '../../models/sensor.model';
import { Trigger } from '../../models/trigger.model';
import { User } from '../../models/user.model';
import { endAccess } from './accounts.service';

/** A part of what a closed account has, removed in one transaction of bounded size. Returns whether there may be more of it. */
export type RemovalStep = (userId: number, transaction: Transaction) => Promise<boolean>;

/** What a request waits for; the purge removes the rest. */
const MAX_MS_OF_A_REQUEST = 1_000;

/** Deletes accounts: first nobody can use the account any more, then everything that it has goes in small transactions. */
export class AccountRemoval {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly steps: readonly RemovalStep[],
  ) {}

  /**
   * Closes the account for good: its sessions end, its username is free, and its personal data is gone. From then on it will
   * be removed, even when this process dies now.
   */
  async close(userId: number): Promise<void> {
    const nowMs = this.clock.now();
    const unknown = `deleted-${randomUUID()}`; // nobody can have registered it
    const nobody = { username: unknown, usernameKey: unknown, email: '', name: '', surname: '', passwordHash: '' };
    const nowhere = { mobile: '', address: '', zipcode: '', country: '' };
    await inTransaction(this.database.sequelize, async (transaction) => {
      const user = await User.findByPk(userId, { transaction, lock: transaction.LOCK.UPDATE });
      if (!user || user.closedMs !== null) return;
      await user.update({ ...nobody, ...nowhere, closedMs: nowMs }, { transaction });
      await endAccess(userId, transaction);
      await DeletedThing.create({ kind: 'user', thingId: userId, createdMs: nowMs }, { transaction });
    });
  }

  /** Removes what others can see, and as much of the rest as a request has time for. Never fails: the account is closed. */
  async begin(userId: number): Promise<void> {
    try {
      await this.remove(userId, MAX_MS_OF_A_REQUEST);
    } catch (error) {
      this.logger.warn({ userId, err: error }, 'a closed account is left to the purge');
    }
  }

  /** Removes what a closed account has, for so long; true when all of it and the account itself are gone. */
  async remove(userId: number, maxMs: number): Promise<boolean> {
    const { sequelize } = this.database;
    const untilMs = performance.now() + maxMs;
    for (const step of this.steps) {
      while (await inTransaction(sequelize, (transaction) => step(userId, transaction))) {
        if (performance.now() > untilMs) return false;
      }
    }
    return inTransaction(sequelize, (transaction) => removeUser(userId, transaction));
  }
}

/** The foreign keys remove what is left, so that must be little: what a request made that was under way when the account was closed. */
async function removeUser(userId: number, transaction: Transaction): Promise<boolean> {
  const user = await User.findByPk(userId, { transaction, lock: transaction.LOCK.UPDATE });
  if (!user) return true;
  if (user.closedMs === null) throw new Error(`the account ${userId} is not closed`);
  const where = { ownerId: userId };
  const left =
    (await Sensor.count({ where, transaction })) +
    (await Trigger.count({ where, transaction })) +
    (await Notification.count({ where, transaction })) +
    (await GroupUser.count({ where: { userId }, transaction }));
  if (left > 0) return false;
  await user.destroy({ transaction });
  return true;
}
