import type { Transaction } from 'sequelize';
import { Sensor } from '../storage/models/sensor.model';
import { forUpdate } from '../storage/transaction';

/** In the order of ids. Returns the existing sensors. */
export async function lockSensors(sensorIds: readonly number[], transaction: Transaction): Promise<Sensor[]> {
  return Sensor.findAll({
    where: { id: [...sensorIds] },
    order: ['id'],
    ...forUpdate(transaction),
  });
}

export function findSensors(ids: readonly number[]): Promise<Sensor[]> {
  return Sensor.findAll({ where: { id: [...ids] }, order: ['id'] });
}
