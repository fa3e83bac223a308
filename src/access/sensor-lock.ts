import type { Transaction } from 'sequelize';
import { Sensor } from '../storage/models/sensor.model';
import { forUpdate } from '../storage/transaction';

/**
 * Locks sensors until the end of the transaction, always in the order of their ids, and returns the existing ones.
 * Meanwhile no other transaction deletes them or changes their connections.
 */
export async function lockSensors(sensorIds: readonly number[], transaction: Transaction): Promise<Sensor[]> {
  return Sensor.findAll({
    where: { id: [...sensorIds] },
    order: ['id'],
    ...forUpdate(transaction),
  });
}

/** The existing sensors with these ids, ordered by id. */
export function findSensors(ids: readonly number[]): Promise<Sensor[]> {
  return Sensor.findAll({ where: { id: [...ids] }, order: ['id'] });
}
