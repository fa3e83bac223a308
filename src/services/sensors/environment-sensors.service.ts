import { literal, Op } from 'sequelize';
import type { Database } from '../../database';
import { findPage } from '../../database/find-page';
import { visibleSensorsSql } from '../../database/sensor-visibility';
import { forShare, inTransaction } from '../../database/transaction';
import { LARGEST_PAGE, type Page, type PageOf } from '../../domain/paging';
import { NotFound } from '../../errors';
import type { EventLog } from '../../events/event-log';
import { Environment } from '../../models/environment.model';
import { EnvironmentSensor } from '../../models/environment-sensor.model';
import type { Sensor } from '../../models/sensor.model';
import { findOwned } from '../access/find-owned';
import { findSensors } from '../access/find-sensors';
import type { SensorAccess } from '../access/sensor-access';
import { lockSensors } from '../access/sensor-lock';
import { lockEnvironment } from './environments.service';
import { loadEnvironments } from './sensor-details';

/**
 * Which sensors are in which environment. A user has each sensor that he sees in one of his environments at most;
 * sensors that he sees no longer do not show.
 */
export class EnvironmentSensorsService {
  constructor(
    private readonly database: Database,
    private readonly access: SensorAccess,
    private readonly events: EventLog,
  ) {}

  async list(userId: number, id: number, page: Page = LARGEST_PAGE): Promise<PageOf<Sensor>> {
    await findOwned(Environment, { id, ownerId: userId }, 'the environment');
    const where = { environmentId: id, sensorId: { [Op.in]: literal(`(${visibleSensorsSql(userId)})`) } };
    const { items, total } = await findPage(EnvironmentSensor, { where, order: ['sensorId'] }, page);
    return { items: await findSensors(items.map(({ sensorId }) => sensorId)), total };
  }

  /** Where a sensor that the user sees is: in an environment of his own, else in one of the sensor's owner. */
  async findOf(userId: number, sensorId: number): Promise<Environment> {
    const { sensor } = await this.access.load(userId, sensorId);
    const environment = (await loadEnvironments(userId, [sensor])).get(sensorId);
    if (!environment) throw new NotFound('the environment of the sensor');
    return environment;
  }

  /** Puts sensors into the environment, all or none; they leave those of the user's that they were in. */
  async connect(userId: number, id: number, sensorIds: readonly number[]): Promise<void> {
    const wanted = [...new Set(sensorIds)];
    await inTransaction(this.database.sequelize, async (transaction) => {
      await lockEnvironment({ id, ownerId: userId }, forShare(transaction));
      await this.access.requireReadable(userId, wanted);
      const existing = new Set((await lockSensors(wanted, transaction)).map((sensor) => sensor.id));
      for (const sensorId of wanted) if (!existing.has(sensorId)) throw new NotFound(`the sensor ${sensorId}`);
      const before = await EnvironmentSensor.findAll({ where: { sensorId: wanted, ownerId: userId }, transaction });
      const left = before.filter(({ environmentId }) => environmentId !== id);
      const stayed = new Set(before.filter(({ environmentId }) => environmentId === id).map((place) => place.sensorId));
      const come = wanted.filter((sensorId) => !stayed.has(sensorId));
      await this.events.raise(transaction, left.map(removalOf));
      await EnvironmentSensor.bulkCreate(
        come.map((sensorId) => ({ sensorId, ownerId: userId, environmentId: id })),
        { updateOnDuplicate: ['environmentId'], transaction },
      );
      const added = { name: 'add_environment_sensor', sourceId: id, userId } as const;
      await this.events.raise(
        transaction,
        come.map((subjectId) => ({ ...added, subjectId })),
      );
    });
  }

  /** Takes a sensor out of the environment. */
  async disconnect(userId: number, id: number, sensorId: number): Promise<void> {
    await inTransaction(this.database.sequelize, async (transaction) => {
      await lockEnvironment({ id, ownerId: userId }, forShare(transaction));
      await this.access.load(userId, sensorId, transaction);
      await lockSensors([sensorId], transaction);
      const where = { sensorId, ownerId: userId, environmentId: id };
      const place = await EnvironmentSensor.findOne({ where, transaction });
      if (!place) throw new NotFound('the sensor in this environment');
      await this.events.raise(transaction, removalOf(place));
      await place.destroy({ transaction });
    });
  }
}

function removalOf({ sensorId, environmentId, ownerId }: EnvironmentSensor) {
  const name = 'remove_environment_sensor' as const;
  return { name, subjectId: sensorId, sourceId: environmentId, userId: ownerId };
}
