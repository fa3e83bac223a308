import { Sensor } from '../storage/models/sensor.model';

/** The existing sensors with these ids, ordered by id. */
export function findSensors(ids: readonly number[]): Promise<Sensor[]> {
  return Sensor.findAll({ where: { id: [...ids] }, order: ['id'] });
}
