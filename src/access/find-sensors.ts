import { Sensor } from '../storage/models/sensor.model';

/** The sensors with these ids that exist, by id. */
export function findSensors(ids: readonly number[]): Promise<Sensor[]> {
  return Sensor.findAll({ where: { id: [...ids] }, order: ['id'] });
}
