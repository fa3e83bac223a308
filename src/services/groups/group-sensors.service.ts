import type { Transaction } from 'sequelize';
import type { Clock } from '../../clock';
import type { Database } from '../../database';
import { inTransaction } from '../../database/transaction';
import { NotFound } from '../../errors';
import type { EventLog } from '../../events/event-log';
import { GroupSensor } from '../../models/group-sensor.model';
import { Sensor } from '../../models/sensor.model';
import type { UserGroup } from '../../models/user-group.model';
import type { GroupAccess } from '../access/group-access';
import { type NamedSensor, requireOwnSensors } from '../access/own-sensors';
import type { SensorAccess } from '../access/sensor-access';

/** The sensors that members share into a group. */
export class GroupSensorsService {
  constructor(
    private readonly database: Database,
    private readonly groups: GroupAccess,
    private readonly sensors: SensorAccess,
    private readonly events: EventLog,
    private readonly clock: Clock,
  ) {}

  /** Shares own sensors into the group, all or none; those that are in it already stay. Needs the right to add. */
  async add(userId: number, groupId: number, named: readonly NamedSensor[]): Promise<Sensor[]> {
    const ids = [...new Set(named.map(({ id }) => id))];
    await inTransaction(this.database.sequelize, async (transaction) => {
      const { group } = await this.groups.require(userId, groupId, 'addSensors', transaction);
      await this.requireOwn(userId, named);
      await this.share(group, userId, ids, transaction);
    });
    return Sensor.findAll({ where: { id: ids }, order: ['id'] });
  }

  /** Takes a sensor out of the group: with the right to remove, or one's own. */
  async remove(userId: number, groupId: number, sensorId: number): Promise<void> {
    await inTransaction(this.database.sequelize, async (transaction) => {
      const { group } = await this.groups.requireMember(userId, groupId, transaction);
      const shared = await GroupSensor.findOne({ where: { groupId, sensorId }, transaction });
      if (shared?.userId !== userId) await this.groups.require(userId, groupId, 'removeSensors', transaction);
      if (!shared) throw new NotFound('the sensor in this group');
      await this.events.raise(transaction, {
        name: 'remove_group_sensor',
        subjectId: sensorId,
        sourceId: group.id,
        userId,
      });
      await shared.destroy({ transaction });
    });
  }

  /** Refuses sensors that are not the user's own, naming where the request has them. */
  requireOwn(userId: number, named: readonly NamedSensor[]): Promise<void> {
    return requireOwnSensors(this.sensors, userId, named, 'share');
  }

  /** The sensors that the user has shared into the group. */
  async idsOf(group: UserGroup, userId: number, transaction: Transaction): Promise<number[]> {
    const shared = await GroupSensor.findAll({ where: { groupId: group.id, userId }, transaction });
    return shared.map(({ sensorId }) => sensorId);
  }

  /** Shares sensors of a member's into the group, which is locked. A sensor that was deleted meanwhile is not found. */
  async share(group: UserGroup, userId: number, sensorIds: readonly number[], transaction: Transaction): Promise<void> {
    const sensors = await Sensor.findAll({
      attributes: ['id'],
      where: { id: [...sensorIds], ownerId: userId },
      order: ['id'],
      lock: transaction.LOCK.SHARE,
      transaction,
    });
    if (sensors.length < new Set(sensorIds).size) throw new NotFound('the sensor');
    const there = await GroupSensor.findAll({ where: { groupId: group.id, sensorId: [...sensorIds] }, transaction });
    const known = new Set(there.map(({ sensorId }) => sensorId));
    const added = sensors.filter(({ id }) => !known.has(id));
    const createdMs = this.clock.now();
    await GroupSensor.bulkCreate(
      added.map(({ id }) => ({ groupId: group.id, sensorId: id, userId, createdMs })),
      { transaction },
    );
    await this.events.raise(
      transaction,
      added.map(({ id }) => ({ name: 'add_group_sensor', subjectId: id, sourceId: group.id, userId })),
    );
  }
}
