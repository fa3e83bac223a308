import { literal, Op } from 'sequelize';
import { findOwned } from '../../access/find-owned';
import type { SensorAccess } from '../../access/sensor-access';
import { findSensors, lockSensors } from '../../access/sensor-lock';
import type { EventLog } from '../../events/event-log';
import { NotFound } from '../../platform/errors';
import { LARGEST_PAGE, type Page, type PageOf } from '../../rules/paging';
import type { Database } from '../../storage';
import { findPage } from '../../storage/find-page';
import { Environment } from '../../storage/models/environment.model';
import { EnvironmentSensor } from '../../storage/models/environment-sensor.model';
import { visibleSensorsSql } from '../../storage/sensor-visibility';
import { forShare, inTransaction } from '../../storage/transaction';
import { describePage, type ListedSensor } from '../sensors/listed-sensors';
import { findEnvironments } from '../sensors/sensor-details';
import { lockEnvironment } from './environments.service';

/**
 * The sensors in environments. A sensor that a user may see is in at most one of their environments; sensors that they
 * may no longer see are not listed.
 */
export class EnvironmentSensorsService {
  constructor(
    private readonly database: Database,
    private readonly access: SensorAccess,
    private readonly events: EventLog,
  ) {}

  /** A page of the sensors in an environment of the user, by id. */
  async list(
    userId: number,
    id: number,
    page: Page = LARGEST_PAGE,
    withDetails = false,
  ): Promise<PageOf<ListedSensor>> {
    await findOwned(Environment, { id, ownerId: userId }, 'the environment');
    const where = { environmentId: id, sensorId: { [Op.in]: literal(`(${visibleSensorsSql(userId)})`) } };
    const { items, total } = await findPage(EnvironmentSensor, { where, order: ['sensorId'] }, page);
    const sensors = await findSensors(items.map(({ sensorId }) => sensorId));
    return describePage(this.database.pool, userId, { items: sensors, total }, withDetails);
  }

  /** The environment of a sensor that the user may see: the user's own, otherwise one of the sensor's owner. */
  async findForSensor(userId: number, sensorId: number): Promise<Environment> {
    const { sensor } = await this.access.find(userId, sensorId);
    const environment = (await findEnvironments(userId, [sensor])).get(sensorId);
    if (!environment) throw new NotFound('the environment of the sensor');
    return environment;
  }

  /** Connects sensors to an environment, all or none, and disconnects them from the user's other environments. */
  async connect(userId: number, id: number, sensorIds: readonly number[]): Promise<void> {
    const wanted = [...new Set(sensorIds)];
    await inTransaction(this.database.sequelize, async (transaction) => {
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
      await this.events.raise(transaction, left.map(removalOf));
      await EnvironmentSensor.bulkCreate(
        added.map((sensorId) => ({ sensorId, ownerId: userId, environmentId: id })),
        { updateOnDuplicate: ['environmentId'], transaction },
      );
      const event = { name: 'add_environment_sensor', sourceId: id, userId } as const;
      await this.events.raise(
        transaction,
        added.map((subjectId) => ({ ...event, subjectId })),
      );
    });
  }

  /** Disconnects a sensor from an environment. */
  async disconnect(userId: number, id: number, sensorId: number): Promise<void> {
    await inTransaction(this.database.sequelize, async (transaction) => {
      await lockEnvironment({ id, ownerId: userId }, forShare(transaction));
      await this.access.find(userId, sensorId, transaction);
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
