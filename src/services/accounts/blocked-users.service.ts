import type { RowDataPacket } from 'mysql2/promise';
import { QueryTypes, type Transaction } from 'sequelize';
import type { Clock } from '../../clock';
import type { Database } from '../../database';
import { queryPage } from '../../database/find-page';
import { forUpdate, inTransaction } from '../../database/transaction';
import type { Page, PageOf } from '../../domain/paging';
import { Conflict, InvalidInput, NotFound } from '../../errors';
import type { EventLog } from '../../events/event-log';
import { RefusedShare } from '../../models/refused-share.model';
import { SensorUser } from '../../models/sensor-user.model';
import { User } from '../../models/user.model';
import { UserBlock } from '../../models/user-block.model';
import { lockSensors } from '../access/sensor-lock';
import { type ShownUser, showUsers } from '../access/shown-users';
import { findUser, type UserReference } from './find-users';

/** How many users one user may block. */
const MAX_BLOCKED = 1_000;

/** A user from whom another one refuses shares. */
export interface BlockedUser {
  user: ShownUser;
  /** Whether all shares are refused; else only those of sensors that the other removed themselves from. */
  isBlocked: boolean;
}

const REFUSED = `SELECT blocked_id AS id, TRUE AS blocked FROM user_blocks WHERE user_id = ?
  UNION ALL SELECT DISTINCT owner_id AS id, FALSE AS blocked FROM refused_shares WHERE user_id = ?`;

/** Whose sensors a user does not take. */
export class BlockedUsersService {
  constructor(
    private readonly database: Database,
    private readonly events: EventLog,
    private readonly clock: Clock,
  ) {}

  /** A page of the users whom the user blocks, and of those of whom they refuse a sensor, by id. */
  async list(userId: number, page: Page): Promise<PageOf<BlockedUser>> {
    const values = [userId, userId];
    const { items, total } = await queryPage(
      this.database.pool,
      {
        page: {
          text: `SELECT id, MAX(blocked) AS blocked FROM (${REFUSED}) refused GROUP BY id ORDER BY id LIMIT ? OFFSET ?`,
          values: [...values, page.limit, page.offset],
        },
        count: page.withTotal
          ? { text: `SELECT COUNT(DISTINCT id) AS total FROM (${REFUSED}) refused`, values }
          : undefined,
      },
      ({ id, blocked }: RowDataPacket) => ({ id: Number(id), isBlocked: Number(blocked) === 1 }),
    );
    const users = await User.findAll({ where: { id: items.map(({ id }) => id) } });
    const byId = new Map((await showUsers(userId, users)).map((user) => [user.id, user]));
    return {
      items: items.flatMap(({ id, isBlocked }) => {
        const user = byId.get(id);
        return user ? [{ user, isBlocked }] : [];
      }),
      total,
    };
  }

  /** Ends every share that the other user gave to the user, and refuses new ones; doing it again changes nothing. */
  async block(userId: number, reference: UserReference): Promise<BlockedUser> {
    const blocked = await findUser(reference);
    if (blocked.id === userId) throw InvalidInput.field('user', 'must not be yourself');
    await inTransaction(this.database.sequelize, async (transaction) => {
      const users = await User.findAll({
        attributes: ['id'],
        where: { id: [userId, blocked.id], closedMs: null },
        order: ['id'],
        ...forUpdate(transaction),
      });
      if (users.length < 2) throw new NotFound('the user');
      const where = { userId, blockedId: blocked.id };
      if (!(await UserBlock.findOne({ where, transaction }))) {
        const count = await UserBlock.count({ where: { userId }, transaction });
        if (count >= MAX_BLOCKED) throw new Conflict(`you block ${MAX_BLOCKED} users, which is as many as you can`);
        await UserBlock.create({ ...where, createdMs: this.clock.now() }, { transaction });
      }
      await this.endShares(userId, blocked.id, transaction);
    });
    const [user] = await showUsers(userId, [blocked]);
    if (!user) throw new NotFound('the user');
    return { user, isBlocked: true };
  }

  /** Lets the other user share again, also sensors that the user removed themselves from; NotFound when they may already. */
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
