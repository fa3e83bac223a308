import type { Transaction } from 'sequelize';
import { forUpdate } from '../../database/transaction';
import { Sensor } from '../../models/sensor.model';

/**
 * Locks sensors until the end of the transaction, always in the order of their ids, and returns those that exist: nobody
 * deletes them or changes what they are connected to meanwhile.
 */
export async function lockSensors(sensorIds: readonly number[], transaction: Transaction): Promise<Sensor[]> {
  return Sensor.findAll({
    where: { id: [...sensorIds] },
    order: ['id'],
    ...forUpdate(transaction),
  });
}
