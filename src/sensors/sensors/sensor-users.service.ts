import { Op, QueryTypes, type Transaction } from 'sequelize';
import type { SensorAccess } from '../../access/sensor-access';
import { lockSensors } from '../../access/sensor-lock';
import { type ShownUser, showUsers } from '../../access/shown-users';
import type { Page, PageOf } from '../../edge/paging';
import type { EventLog } from '../../events/event-log';
import {
  addShare,
  findUser,
  isShared,
  lockReader,
  refuseShare,
  requireAcceptance,
  type UserReference,
} from '../../people';
import type { Caller } from '../../platform/caller';
import type { Clock } from '../../platform/clock';
import { Forbidden, InvalidInput, NotFound } from '../../platform/errors';
import type { Database } from '../../storage';
import { findPage } from '../../storage/find-page';
import { findKnownNames } from '../../storage/known-users';
import { SensorUser } from '../../storage/models/sensor-user.model';
import { User } from '../../storage/models/user.model';
import { forUpdate, inTransaction, runOn } from '../../storage/transaction';
import { type Allowance, chargeUse, usedUpError } from '../../storage/usage-counts';

const HOUR_MS = 3_600_000;
/** Names per hour that a user, or all users of an address, learn by sharing with ids. */
const NAMES_PER_USER = 60;
const NAMES_PER_ADDRESS = 600;
/** Shares per transaction. */
const SHARES_PER_STEP = 5_000;
const SENSORS_PER_STEP = 100;

export class SensorUsersService {
  constructor(
    private readonly database: Database,
    private readonly access: SensorAccess,
    private readonly events: EventLog,
    private readonly clock: Clock,
  ) {}

  async list(userId: number, sensorId: number, page: Page): Promise<PageOf<ShownUser>> {
    await this.access.findOwn(userId, sensorId);
    const { items: shares, total } = await findPage(SensorUser, { where: { sensorId }, order: ['userId'] }, page);
    const users = await User.findAll({ where: { id: shares.map((share) => share.userId) }, order: ['id'] });
    return { items: await showUsers(userId, users), total };
  }

  /**
   * Shares a sensor; idempotent. Throws Forbidden if the other user refuses, TooMany if too many users were named by
   * ids only.
   */
  async share(
    { userId, network }: Pick<Caller, 'userId' | 'network'>,
    sensorId: number,
    reference: UserReference,
  ): Promise<ShownUser> {
    await this.access.findOwn(userId, sensorId);
    const reader = await findUser(reference);
    if (reader.id === userId) throw InvalidInput.field('user', 'must not be yourself: you own the sensor');
    if (!reference.username) await this.chargeName(userId, network, reader.id);
    await inTransaction(this.database.sequelize, async (transaction) => {
      await lockReader(reader.id, transaction);
      const sensor = await this.access.lockOwn(userId, sensorId, transaction);
      if (await isShared(sensorId, reader.id, transaction)) return;
      await requireAcceptance(reader.id, sensor, transaction);
      const share = { sensorId, userId: reader.id, createdMs: this.clock.now(), unseen: true };
      await addShare(this.events, share, userId, transaction);
    });
    const [shown] = await showUsers(userId, [reader]);
    if (!shown) throw new NotFound('the user');
    return shown;
  }

  /** The sensor's owner may end a share, and the user of the share, who then refuses it. */
  async unshare(userId: number, sensorId: number, readerId: number): Promise<void> {
    await inTransaction(this.database.sequelize, async (transaction) => {
      const { sensor, isOwner } = await this.access.find(userId, sensorId, transaction);
      if (!isOwner && readerId !== userId) throw new Forbidden('only the owner of the sensor may do this');
      await lockSensors([sensorId], transaction);
      const share = await SensorUser.findOne({ where: { sensorId, userId: readerId }, transaction });
      if (!share) throw new NotFound('the share with this user');
      await this.raiseEnds([share], userId, transaction);
      await share.destroy({ transaction });
      if (!isOwner) await refuseShare(userId, sensor, this.clock.now(), transaction);
    });
  }

  /** Some at a time. */
  async unshareAll(userId: number): Promise<void> {
    let fromId: number | undefined = 0;
    while (fromId !== undefined) {
      const sensorId: number = fromId;
      fromId = await inTransaction(this.database.sequelize, (transaction) =>
        this.unshareSome(userId, sensorId, transaction),
      );
    }
  }

  /**
   * Returns the id from which to continue, undefined at the end. Locks the sensors, so that of two callers only one
   * ends a share.
   */
  private async unshareSome(userId: number, fromId: number, transaction: Transaction): Promise<number | undefined> {
    // Shares need a separate statement: joined with the sensors, MySQL would sort all of them at each step.
    const shared = await this.database.sequelize.query<{ id: number }>(
      `SELECT s.id FROM sensors s WHERE s.owner_id = ? AND s.id >= ?
       AND EXISTS (SELECT 1 FROM sensor_users u WHERE u.sensor_id = s.id) ORDER BY s.id LIMIT ${SENSORS_PER_STEP}`,
      { replacements: [userId, fromId], type: QueryTypes.SELECT, transaction },
    );
    const ids = shared.map(({ id }) => Number(id));
    const lastId = ids.at(-1);
    if (lastId === undefined) return undefined;
    await lockSensors(ids, transaction);
    const order = ['sensorId', 'userId'];
    const some = { where: { sensorId: ids }, order, limit: SHARES_PER_STEP, raw: true };
    const shares = await SensorUser.findAll({ ...some, ...forUpdate(transaction) });
    await this.raiseEnds(shares, userId, transaction);
    const last = shares.at(-1);
    if (!last || shares.length < SHARES_PER_STEP) {
      await SensorUser.destroy({ where: { sensorId: ids }, transaction });
      return lastId + 1;
    }
    const whole = { sensorId: ids.filter((id) => id < last.sensorId) };
    const part = { sensorId: last.sensorId, userId: { [Op.lte]: last.userId } };
    await SensorUser.destroy({ where: { [Op.or]: [whole, part] }, transaction });
    return last.sensorId;
  }

  /** The answer reveals the name of an id: counting ids must not reveal all names. */
  private async chargeName(userId: number, network: string, readerId: number): Promise<void> {
    const { pool } = this.database;
    if ((await findKnownNames(runOn(pool), userId, [readerId])).has(readerId)) return;
    const nowMs = this.clock.now();
    const usedUp = await chargeUse(pool, namesBy(userId, network), nowMs);
    const message = 'too many shares with users whose names you do not know; name them by username, or try again later';
    if (usedUp) throw usedUpError(message, usedUp, nowMs);
  }

  private raiseEnds(
    shares: readonly Pick<SensorUser, 'sensorId' | 'userId'>[],
    userId: number,
    transaction: Transaction,
  ): Promise<void> {
    return this.events.raise(
      transaction,
      shares.map((share) => ({
        name: 'remove_sensor_user' as const,
        subjectId: share.userId,
        sourceId: share.sensorId,
        userId,
      })),
    );
  }
}

function namesBy(userId: number, network: string): Allowance[] {
  return [
    { kind: 'names-found-by-user', subject: String(userId), limit: NAMES_PER_USER, windowMs: HOUR_MS },
    { kind: 'names-found-from-address', subject: network.slice(0, 64), limit: NAMES_PER_ADDRESS, windowMs: HOUR_MS },
  ];
}
