import type { RowDataPacket } from 'mysql2/promise';
import { QueryTypes, type Transaction } from 'sequelize';
import { lockSensors } from '../../access/sensor-lock';
import { type ShownUser, showUsers } from '../../access/shown-users';
import type { Page, PageOf } from '../../edge/paging';
import type { EventLog } from '../../events/event-log';
import type { Clock } from '../../platform/clock';
import { Conflict, InvalidInput, NotFound } from '../../platform/errors';
import type { Database } from '../../storage';
import { queryPage } from '../../storage/find-page';
import { findKnownNames } from '../../storage/known-users';
import { Invitation } from '../../storage/models/invitation.model';
import { RefusedShare } from '../../storage/models/refused-share.model';
import { SensorUser } from '../../storage/models/sensor-user.model';
import { User } from '../../storage/models/user.model';
import { UserBlock } from '../../storage/models/user-block.model';
import { forUpdate, inTransaction, runIn, runOn } from '../../storage/transaction';
import { findUser, type UserReference } from './find-users';

const MAX_BLOCKED = 1_000;

export interface BlockedUser {
  /** Without the username if the user neither named it nor sees it elsewhere: counting ids must not reveal names. */
  user: ShownUser;
  /** False if only the sensors are refused from which the user removed themselves. */
  isBlocked: boolean;
}

const REFUSED = `SELECT blocked_id AS id, TRUE AS blocked, knows_name FROM user_blocks WHERE user_id = ?
  UNION ALL SELECT DISTINCT owner_id AS id, FALSE AS blocked, TRUE AS knows_name FROM refused_shares WHERE user_id = ?`;

export class BlockedUsersService {
  constructor(
    private readonly database: Database,
    private readonly events: EventLog,
    private readonly clock: Clock,
  ) {}

  async list(userId: number, page: Page): Promise<PageOf<BlockedUser>> {
    const values = [userId, userId];
    const { items, total } = await queryPage(
      this.database.pool,
      {
        page: {
          text: `SELECT id, MAX(blocked) AS blocked, MAX(knows_name) AS knowsName FROM (${REFUSED}) refused GROUP BY id ORDER BY id LIMIT ? OFFSET ?`,
          values: [...values, page.limit, page.offset],
        },
        count: page.withTotal
          ? { text: `SELECT COUNT(DISTINCT id) AS total FROM (${REFUSED}) refused`, values }
          : undefined,
      },
      ({ id, blocked, knowsName }: RowDataPacket) => ({
        id: Number(id),
        isBlocked: Number(blocked) === 1,
        knowsName: Number(knowsName) === 1,
      }),
    );
    const unknown = items.filter(({ knowsName }) => !knowsName).map(({ id }) => id);
    const known = await findKnownNames(runOn(this.database.pool), userId, unknown);
    const users = await User.findAll({ where: { id: items.map(({ id }) => id) } });
    const byId = new Map((await showUsers(userId, users)).map((user) => [user.id, user]));
    return {
      items: items.flatMap(({ id, isBlocked, knowsName }) => {
        const user = byId.get(id);
        return user ? [{ user: named(user, knowsName || known.has(id)), isBlocked }] : [];
      }),
      total,
    };
  }

  /** Ends every share and invitation from the other user, and refuses new ones. Idempotent. */
  async block(userId: number, reference: UserReference): Promise<BlockedUser> {
    const blocked = await findUser(reference);
    if (blocked.id === userId) throw InvalidInput.field('user', 'must not be yourself');
    const knowsName = await inTransaction(this.database.sequelize, async (transaction) => {
      const users = await User.findAll({
        attributes: ['id'],
        where: { id: [userId, blocked.id], closedMs: null },
        order: ['id'],
        ...forUpdate(transaction),
      });
      if (users.length < 2) throw new NotFound('the user');
      const where = { userId, blockedId: blocked.id };
      const before = await UserBlock.findOne({ where, transaction });
      // Before the shares end, because the user may know the name through one of them.
      const run = runIn(this.database.sequelize, transaction);
      const isKnown = Boolean(reference.username) || (await findKnownNames(run, userId, [blocked.id])).has(blocked.id);
      if (!before) {
        const count = await UserBlock.count({ where: { userId }, transaction });
        if (count >= MAX_BLOCKED) throw new Conflict(`you block ${MAX_BLOCKED} users, which is as many as you can`);
        await UserBlock.create({ ...where, knowsName: isKnown, createdMs: this.clock.now() }, { transaction });
      } else if (isKnown) await before.update({ knowsName: true }, { transaction });
      await this.endShares(userId, blocked.id, transaction);
      await Invitation.destroy({ where: { userId, inviterId: blocked.id }, transaction });
      return isKnown || before?.knowsName === true;
    });
    const [user] = await showUsers(userId, [blocked]);
    if (!user) throw new NotFound('the user');
    return { user: named(user, knowsName), isBlocked: true };
  }

  /**
   * Allows the sensors from which the user removed themselves as well. Throws NotFound if the other user may share
   * already.
   */
  async allow(userId: number, blockedId: number): Promise<void> {
    const removed = await inTransaction(this.database.sequelize, async (transaction) => [
      await UserBlock.destroy({ where: { userId, blockedId }, transaction }),
      await RefusedShare.destroy({ where: { userId, ownerId: blockedId }, transaction }),
    ]);
    if (removed.every((count) => count === 0)) throw new NotFound('the blocked user');
  }

  private async endShares(userId: number, ownerId: number, transaction: Transaction): Promise<void> {
    const shared = await this.database.sequelize.query<{ id: number }>(
      `SELECT s.id FROM sensor_users u JOIN sensors s ON s.id = u.sensor_id WHERE u.user_id = ? AND s.owner_id = ?`,
      { replacements: [userId, ownerId], type: QueryTypes.SELECT, transaction },
    );
    const sensors = await lockSensors(
      shared.map(({ id }) => Number(id)),
      transaction,
    );
    const where = { userId, sensorId: sensors.map(({ id }) => id) };
    const shares = await SensorUser.findAll({ where, transaction });
    await this.events.raise(
      transaction,
      shares.map(({ sensorId }) => ({
        name: 'remove_sensor_user' as const,
        subjectId: userId,
        sourceId: sensorId,
        userId,
      })),
    );
    await SensorUser.destroy({ where, transaction });
  }
}

function named(user: ShownUser, knowsName: boolean): ShownUser {
  return knowsName ? user : { ...user, username: '' };
}
