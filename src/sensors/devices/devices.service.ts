import type { Transaction } from 'sequelize';
import { findOwned } from '../../access/find-owned';
import type { SensorAccess } from '../../access/sensor-access';
import { markSensorChange } from '../../access/sensor-changes';
import { findSensors } from '../../access/sensor-lock';
import type { Page, PageOf } from '../../edge/paging';
import type { EventLog } from '../../events/event-log';
import type { Clock } from '../../platform/clock';
import { NotFound } from '../../platform/errors';
import type { Database } from '../../storage';
import { findPage } from '../../storage/find-page';
import { Device } from '../../storage/models/device.model';
import { DeviceSensor } from '../../storage/models/device-sensor.model';
import { SENSOR_TYPE } from '../../storage/models/sensor.model';
import { inTransaction } from '../../storage/transaction';
import { describePage, type ListDetails, type ListedSensor } from '../sensors/listed-sensors';
import type { DeviceName } from './device-name';

/** A device belongs to one user and stays when its last sensor leaves. Who sees a sensor sees its device through it. */
export class DevicesService {
  constructor(
    private readonly database: Database,
    private readonly access: SensorAccess,
    private readonly events: EventLog,
    private readonly clock: Clock,
  ) {}

  list(userId: number, page: Page): Promise<PageOf<Device>> {
    return findPage(Device, { where: { ownerId: userId }, order: ['id'] }, page);
  }

  find(userId: number, id: number): Promise<Device> {
    return findOwned(Device, { id, ownerId: userId }, 'the device');
  }

  /** The sensors on a device belong to its user. */
  async listSensors(userId: number, id: number, page: Page, details?: ListDetails): Promise<PageOf<ListedSensor>> {
    await this.find(userId, id);
    const { items, total } = await findPage(DeviceSensor, { where: { deviceId: id }, order: ['sensorId'] }, page);
    const sensors = await findSensors(items.map(({ sensorId }) => sensorId));
    return describePage(this.database, { userId, nowMs: this.clock.now() }, { items: sensors, total }, details);
  }

  async findForSensor(userId: number, sensorId: number): Promise<Device> {
    await this.access.find(userId, sensorId);
    const connection = await DeviceSensor.findByPk(sensorId);
    const device = connection && (await Device.findByPk(connection.deviceId));
    if (!device) throw new NotFound('the device of the sensor');
    return device;
  }

  /** Creates the device if type and uuid are new, and disconnects the sensor from the previous one. */
  async connect(userId: number, sensorId: number, name: DeviceName): Promise<Device> {
    return inTransaction(this.database.sequelize, async (transaction) => {
      const sensor = await this.access.lockOwn(userId, sensorId, transaction);
      const device = await findOrCreateDevice(userId, name, transaction);
      const before = await DeviceSensor.findByPk(sensorId, { transaction });
      if (before?.deviceId !== device.id) {
        if (before) await this.raise('remove_sensor_device', before, userId, transaction);
        const after = { sensorId, deviceId: device.id };
        if (before) await before.update(after, { transaction });
        else await DeviceSensor.create(after, { transaction });
        await this.raise('add_sensor_device', after, userId, transaction);
      }
      await sensor.update({ type: SENSOR_TYPE.physical }, { transaction });
      await markSensorChange(userId, transaction);
      return device;
    });
  }

  async disconnect(userId: number, sensorId: number, deviceId?: number): Promise<void> {
    await inTransaction(this.database.sequelize, async (transaction) => {
      const sensor = await this.access.lockOwn(userId, sensorId, transaction);
      const connection = await DeviceSensor.findByPk(sensorId, { transaction });
      if (!connection || (deviceId !== undefined && connection.deviceId !== deviceId)) {
        throw new NotFound('the device of the sensor');
      }
      await this.raise('remove_sensor_device', connection, userId, transaction);
      await connection.destroy({ transaction });
      // A sensor that uses others is virtual, and does not change.
      if (sensor.type === SENSOR_TYPE.physical) await sensor.update({ type: SENSOR_TYPE.plain }, { transaction });
      await markSensorChange(userId, transaction);
    });
  }

  private raise(
    name: 'add_sensor_device' | 'remove_sensor_device',
    { sensorId, deviceId }: { sensorId: number; deviceId: number },
    userId: number,
    transaction: Transaction,
  ): Promise<void> {
    return this.events.raise(transaction, { name, subjectId: deviceId, sourceId: sensorId, userId });
  }
}

/** Creates the device if type and uuid are new. */
async function findOrCreateDevice(ownerId: number, name: DeviceName, transaction: Transaction): Promise<Device> {
  const where = { ...name, ownerId };
  const known = await Device.findOne({ where, transaction });
  if (known) return known;
  if ('id' in name) throw new NotFound('the device');
  // Two requests may create it at once: the unique index lets one succeed, and both read its row.
  await Device.bulkCreate([{ ...name, ownerId }], { ignoreDuplicates: true, transaction });
  const created = await Device.findOne({ where, transaction });
  if (!created) throw new NotFound('the owner of the device');
  return created;
}
