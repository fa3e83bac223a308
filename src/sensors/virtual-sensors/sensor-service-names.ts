import { Service } from '../../storage/models/service.model';

/** Returns kinds by the sensor that they write to, for operators. */
export async function sensorServiceNames(ids: readonly number[]): Promise<Map<number, string>> {
  const services = await Service.findAll({ attributes: ['id', 'name'], where: { id: [...ids] } });
  return new Map(services.map(({ id, name }) => [id, `${name} of sensor ${id}`]));
}
