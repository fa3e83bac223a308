import { Op } from 'sequelize';
import type { EventLog } from '../../events/event-log';
import { ConnectedSensor } from '../../models/connected-sensor.model';
import { Sensor } from '../../models/sensor.model';
import { SensorUser } from '../../models/sensor-user.model';
import { ServiceInputRow } from '../../models/service-input-row.model';
import { lockSensors } from '../access/sensor-lock';
import type { BeforeUserRemoved } from '../accounts/users.service';
import { resetSensorType } from '../virtual-sensors/sensor-connections';
import { deleteUnfedServices } from '../virtual-sensors/unfed-services';

/** Raises the events of a removal: the sensors of the user are deleted, and those shared with them lose a reader. */
export function raiseRemovalEvents(events: EventLog): BeforeUserRemoved {
  return async (userId, transaction) => {
    const sensors = await Sensor.findAll({ attributes: ['id'], where: { ownerId: userId }, transaction, raw: true });
    const shares = await SensorUser.findAll({ where: { userId }, transaction, raw: true });
    await events.raise(transaction, [
      ...sensors.map(({ id }) => ({ name: 'delete_sensor' as const, subjectId: id, userId })),
      ...shares.map(({ sensorId }) => ({
        name: 'remove_sensor_user' as const,
        subjectId: userId,
        sourceId: sensorId,
        userId,
      })),
    ]);
  };
}

/** The virtual sensors and services of others do without the sensors of a removed user, as when one is deleted. */
export const detachFromOthers: BeforeUserRemoved = async (userId, transaction) => {
  const sensors = await Sensor.findAll({ attributes: ['id'], where: { ownerId: userId }, transaction, raw: true });
  const ids = sensors.map(({ id }) => id);
  await lockSensors(ids, transaction); // nobody connects one of them any more
  const where = { usedSensorId: ids, sensorId: { [Op.notIn]: ids } };
  const connections = await ConnectedSensor.findAll({ where, transaction, raw: true });
  const virtualIds = [...new Set(connections.map(({ sensorId }) => sensorId))];
  await ConnectedSensor.destroy({ where, transaction });
  await ServiceInputRow.destroy({ where: { sensorId: ids, serviceId: virtualIds }, transaction });
  await resetSensorType(virtualIds, transaction);
  await deleteUnfedServices(virtualIds, transaction);
};
