import { Sensor } from '../../storage/models/sensor.model';
import { Service } from '../../storage/models/service.model';

/** For operators: the kinds of these sensor services, with the names of the sensors that they write to. */
export async function sensorServiceNames(ids: readonly number[]): Promise<Map<number, string>> {
  const where = { id: [...ids] };
  const services = await Service.findAll({ attributes: ['id', 'name'], where });
  const sensors = await Sensor.findAll({ attributes: ['id', 'name'], where });
  const sensorNames = new Map(sensors.map(({ id, name }) => [id, name]));
  return new Map(services.map(({ id, name }) => [id, `${name} of ${sensorNames.get(id) ?? 'a deleted sensor'}`]));
}
