import type { Transaction } from 'sequelize';
import { Sensor } from '../../models/sensor.model';

/**
 * Holds sensors until the end of the transaction, in one order for everybody, and returns those that still exist:
 * nobody deletes them or changes what they are connected to meanwhile.
 */
export async function lockSensors(sensorIds: readonly number[], transaction: Transaction): Promise<Sensor[]> {
  return Sensor.findAll({
    where: { id: [...sensorIds] },
    order: [['id', 'ASC']],
    transaction,
    lock: transaction.LOCK.UPDATE,
  });
}
