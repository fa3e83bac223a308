import { Sensor } from '../models/sensor.model';
import { SensorUser } from '../models/sensor-user.model';
import type { EventLog } from './event-log';
import type { BeforeUserRemoved } from './users.service';

/** Tells the others: the sensors of a removed user go with him, and those shared with him lose a reader. */
export function tellOfDeparture(events: EventLog): BeforeUserRemoved {
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
