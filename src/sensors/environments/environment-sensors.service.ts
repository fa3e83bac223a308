import { literal, Op } from 'sequelize';
import { findOwned } from '../../access/find-owned';
import { editRules } from '../../access/rule-edit';
import type { SensorAccess } from '../../access/sensor-access';
import { findSensors, lockSensors } from '../../access/sensor-lock';
import { LARGEST_PAGE, type Page, type PageOf } from '../../edge/paging';
import type { EventLog } from '../../events/event-log';
import type { Clock } from '../../platform/clock';
import { NotFound } from '../../platform/errors';
import type { Database } from '../../storage';
import { findPage } from '../../storage/find-page';
import { Environment } from '../../storage/models/environment.model';
import { EnvironmentSensor } from '../../storage/models/environment-sensor.model';
import { visibleSensorsSql } from '../../storage/sensor-visibility';
import { forShare, forUpdate } from '../../storage/transaction';
import { describePage, type ListDetails, type ListedSensor } from '../sensors/listed-sensors';
import { findEnvironments } from '../sensors/sensor-details';
import { lockEnvironment } from './environments.service';

/** A sensor is in at most one environment of a user. Sensors that they may no longer see are not listed. */
export class EnvironmentSensorsService {
  constructor(
    private readonly database: Database,
    private readonly access: SensorAccess,
    private readonly events: EventLog,
    private readonly clock: Clock,
  ) {}

  async list(
    userId: number,
    id: number,
    page: Page = LARGEST_PAGE,
    details?: ListDetails,
  ): Promise<PageOf<ListedSensor>> {
    await findOwned(Environment, { id, ownerId: userId }, 'the environment');
    const where = { environmentId: id, sensorId: { [Op.in]: literal(`(${visibleSensorsSql(userId)})`) } };
    const { items, total } = await findPage(EnvironmentSensor, { where, order: ['sensorId'] }, page);
    const sensors = await findSensors(items.map(({ sensorId }) => sensorId));
    return describePage(this.database, { userId, nowMs: this.clock.now() }, { items: sensors, total }, details);
  }

  /** Sensors with a position that the user may see, by id. */
  async listPositions(userId: number, id: number): Promise<EnvironmentSensor[]> {
    await findOwned(Environment, { id, ownerId: userId }, 'the environment');
    const sensorId = { [Op.in]: literal(`(${visibleSensorsSql(userId)})`) };
    return EnvironmentSensor.findAll({
      where: { environmentId: id, sensorId, position: { [Op.ne]: '' } },
      order: ['sensorId'],
    });
  }

  /** Moves all or none. Throws NotFound for a sensor that is not in the environment. */
  async move(
    userId: number,
    id: number,
    positions: readonly { sensorId: number; position: string }[],
  ): Promise<EnvironmentSensor[]> {
    await editRules(this.database.sequelize, async (edit) => {
      const { transaction } = edit;
      await lockEnvironment({ id, ownerId: userId }, forUpdate(transaction));
      const sensorIds = positions.map(({ sensorId }) => sensorId);
      await this.access.requireReadable(userId, sensorIds);
      await edit.affects({ sensorIds });
      const inside = await EnvironmentSensor.findAll({
        where: { environmentId: id, ownerId: userId, sensorId: sensorIds },
        transaction,
      });
      const byId = new Map(inside.map((one) => [one.sensorId, one]));
      for (const { sensorId, position } of positions) {
        const place = byId.get(sensorId);
        if (!place) throw new NotFound(`the sensor ${sensorId} in this environment`);
        await place.update({ position }, { transaction });
      }
    });
    return this.listPositions(userId, id);
  }

  /** The user's own environment, otherwise one of the sensor's owner. */
  async findForSensor(userId: number, sensorId: number): Promise<Environment> {
    const { sensor } = await this.access.find(userId, sensorId);
    const environment = (await findEnvironments(userId, [sensor])).get(sensorId);
    if (!environment) throw new NotFound('the environment of the sensor');
    return environment;
  }

  /** Connects all or none. Disconnects them from the user's other environments. */
  async connect(userId: number, id: number, sensorIds: readonly number[]): Promise<void> {
    const wanted = [...new Set(sensorIds)];
    await editRules(this.database.sequelize, async (edit) => {
      const { transaction } = edit;
      await lockEnvironment({ id, ownerId: userId }, forShare(transaction));
      await this.access.requireReadable(userId, wanted);
      const existing = new Set((await lockSensors(wanted, transaction)).map((sensor) => sensor.id));
      for (const sensorId of wanted) if (!existing.has(sensorId)) throw new NotFound(`the sensor ${sensorId}`);
      const before = await EnvironmentSensor.findAll({ where: { sensorId: wanted, ownerId: userId }, transaction });
      const left = before.filter(({ environmentId }) => environmentId !== id);
      const stayed = new Set(
        before.filter(({ environmentId }) => environmentId === id).map(({ sensorId }) => sensorId),
      );
      const added = wanted.filter((sensorId) => !stayed.has(sensorId));
      await edit.affects({ sensorIds: added });
      await this.events.raise(transaction, left.map(removalOf));
      await EnvironmentSensor.bulkCreate(
        added.map((sensorId) => ({ sensorId, ownerId: userId, environmentId: id, position: '' })),
        { updateOnDuplicate: ['environmentId', 'position'], transaction },
      );
      const event = { name: 'add_environment_sensor', sourceId: id, userId } as const;
      await this.events.raise(
        transaction,
        added.map((subjectId) => ({ ...event, subjectId })),
      );
    });
  }

  async disconnect(userId: number, id: number, sensorId: number): Promise<void> {
    await editRules(this.database.sequelize, async (edit) => {
      const { transaction } = edit;
      await lockEnvironment({ id, ownerId: userId }, forShare(transaction));
      await this.access.find(userId, sensorId, transaction);
      await edit.affects({ sensorIds: [sensorId] });
      await lockSensors([sensorId], transaction);
      const where = { sensorId, ownerId: userId, environmentId: id };
      const connection = await EnvironmentSensor.findOne({ where, transaction });
      if (!connection) throw new NotFound('the sensor in this environment');
      await this.events.raise(transaction, removalOf(connection));
      await connection.destroy({ transaction });
    });
  }
}

function removalOf({ sensorId, environmentId, ownerId }: EnvironmentSensor) {
  const name = 'remove_environment_sensor' as const;
  return { name, subjectId: sensorId, sourceId: environmentId, userId: ownerId };
}
