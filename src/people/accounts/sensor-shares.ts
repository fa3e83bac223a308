import type { CreationAttributes, Transaction } from 'sequelize';
import type { EventLog } from '../../events/event-log';
import { SensorUser } from '../../storage/models/sensor-user.model';

// In transactions that have locked the sensor.

export async function isShared(sensorId: number, userId: number, transaction: Transaction): Promise<boolean> {
  return (await SensorUser.findOne({ where: { sensorId, userId }, transaction })) !== null;
}

/** `actorId` caused it. */
export async function addShare(
  events: EventLog,
  share: CreationAttributes<SensorUser>,
  actorId: number,
  transaction: Transaction,
): Promise<void> {
  await SensorUser.create(share, { transaction });
  const place = { subjectId: share.userId, sourceId: share.sensorId };
  await events.raise(transaction, { name: 'add_sensor_user', ...place, userId: actorId });
}
