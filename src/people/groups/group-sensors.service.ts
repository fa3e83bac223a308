import type { Transaction } from 'sequelize';
import { authoriseRight, requireMember, requireRight } from '../../access/group-access';
import { type NamedSensor, requireOwnSensors } from '../../access/own-sensors';
import type { SensorAccess } from '../../access/sensor-access';
import { findSensors } from '../../access/sensor-lock';
import type { EventLog } from '../../events/event-log';
import type { Clock } from '../../platform/clock';
import { NotFound } from '../../platform/errors';
import type { Database } from '../../storage';
import { GroupSensor } from '../../storage/models/group-sensor.model';
import { Sensor } from '../../storage/models/sensor.model';
import type { UserGroup } from '../../storage/models/user-group.model';
import { forShare, inTransaction } from '../../storage/transaction';
import type { SensorOffer } from './sensor-offers';

export class GroupSensorsService {
  constructor(
    private readonly database: Database,
    private readonly access: SensorAccess,
    private readonly events: EventLog,
    private readonly clock: Clock,
  ) {}

  /** Shares all or none; idempotent. Requires the right to add sensors. */
  async add(userId: number, groupId: number, named: readonly NamedSensor[]): Promise<Sensor[]> {
    const ids = [...new Set(named.map(({ id }) => id))];
    await inTransaction(this.database.sequelize, async (transaction) => {
      const { group } = await requireRight(userId, groupId, 'addSensors', transaction);
      await this.requireOwn(userId, named);
      await this.share(group, [{ userId, sensorIds: ids }], transaction);
    });
    return findSensors(ids);
  }

  /**
   * Shares those that the user owns, and returns their ids: a sensor may be deleted at the same moment. A fixed number
   * of statements.
   */
  async addOwned(userId: number, groupId: number, ids: readonly number[]): Promise<Set<number>> {
    return inTransaction(this.database.sequelize, async (transaction) => {
      const { group } = await requireRight(userId, groupId, 'addSensors', transaction);
      const where = { id: [...ids], ownerId: userId };
      const owned = await Sensor.findAll({ attributes: ['id'], where, order: ['id'], ...forShare(transaction) });
      const sensorIds = owned.map(({ id }) => id);
      await this.share(group, [{ userId, sensorIds }], transaction);
      return new Set(sensorIds);
    });
  }

  /** Requires the right to remove sensors, except for one's own. */
  async remove(userId: number, groupId: number, sensorId: number): Promise<void> {
    await inTransaction(this.database.sequelize, async (transaction) => {
      const { group, membership } = await requireMember(userId, groupId, transaction);
      const shared = await GroupSensor.findOne({ where: { groupId, sensorId }, transaction });
      if (shared?.userId !== userId) authoriseRight(membership, 'removeSensors');
      if (!shared) throw new NotFound('the sensor in this group');
      const event = { name: 'remove_group_sensor', subjectId: sensorId, sourceId: group.id, userId } as const;
      await this.events.raise(transaction, event);
      await shared.destroy({ transaction });
    });
  }

  /** See `requireOwnSensors`. */
  requireOwn(userId: number, named: readonly NamedSensor[]): Promise<void> {
    return requireOwnSensors(this.access, userId, named, 'share');
  }

  async idsOf(group: UserGroup, userId: number, transaction: Transaction): Promise<number[]> {
    const shared = await GroupSensor.findAll({ where: { groupId: group.id, userId }, transaction });
    return shared.map(({ sensorId }) => sensorId);
  }

  /**
   * The group must be locked. Idempotent, with a fixed number of statements. Throws NotFound if a sensor was
   * deleted meanwhile.
   */
  async share(group: UserGroup, offers: readonly SensorOffer[], transaction: Transaction): Promise<void> {
    const ownerOf = new Map(offers.flatMap(({ userId, sensorIds }) => sensorIds.map((id) => [id, userId] as const)));
    const ids = [...ownerOf.keys()];
    const where = { id: ids };
    const sensors = await Sensor.findAll({
      attributes: ['id', 'ownerId'],
      where,
      order: ['id'],
      ...forShare(transaction),
    });
    const own = sensors.filter(({ id, ownerId }) => ownerOf.get(id) === ownerId);
    if (own.length < ids.length) throw new NotFound('the sensor');
    const shared = await GroupSensor.findAll({ where: { groupId: group.id, sensorId: ids }, transaction });
    const sharedIds = new Set(shared.map(({ sensorId }) => sensorId));
    const added = own
      .filter(({ id }) => !sharedIds.has(id))
      .map(({ id, ownerId }) => ({ groupId: group.id, sensorId: id, userId: ownerId, createdMs: this.clock.now() }));
    await GroupSensor.bulkCreate(added, { transaction });
    await this.events.raise(
      transaction,
      added.map(({ sensorId, userId }) => ({
        name: 'add_group_sensor',
        subjectId: sensorId,
        sourceId: group.id,
        userId,
      })),
    );
  }
}
