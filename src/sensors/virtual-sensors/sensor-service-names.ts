import { Service } from '../../storage/models/service.model';

/** For operators: kinds by the sensor that they write to. */
export async function sensorServiceNames(ids: readonly number[]): Promise<Map<number, string>> {
  const services = await Service.findAll({ attributes: ['id', 'name'], where: { id: [...ids] } });
  return new Map(services.map(({ id, name }) => [id, `${name} of sensor ${id}`]));
}
