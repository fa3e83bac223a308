import type { Transaction } from 'sequelize';
import { SensorTrigger } from '../../storage/models/sensor-trigger.model';
import { SensorTriggerNotification } from '../../storage/models/sensor-trigger-notification.model';
import { TriggerNotification } from '../../storage/models/trigger-notification.model';

/** Includes connections through the whole trigger. In order. */
export async function findConnectedTo(notificationId: number, transaction: Transaction): Promise<number[]> {
  const where = { notificationId };
  const single = await SensorTriggerNotification.findAll({ where, transaction });
  const whole = await TriggerNotification.findAll({ where, transaction });
  const triggerId = whole.map((connection) => connection.triggerId);
  const others = await SensorTrigger.findAll({ attributes: ['id'], where: { triggerId }, transaction, raw: true });
  const ids = new Set([...single.map((connection) => connection.sensorTriggerId), ...others.map(({ id }) => id)]);
  return [...ids].sort((a, b) => a - b);
}

/** Requires an edit that has named the sensors. */
export async function deactivate(id: number[], transaction: Transaction): Promise<void> {
  await SensorTrigger.update({ active: false, dueAtMs: null, inactiveSinceMs: null }, { where: { id }, transaction });
}
