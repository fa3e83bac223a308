import { buildSensor, create, type Fields } from './factories';
import type { TestUser } from './platform';

/** Builds a sensor and connects it to a service, given by the name of a new one or the id of a running one. */
export async function feedService(
  user: TestUser,
  service: string | { id: string },
  sensor: Fields = {},
): Promise<{ sensorId: string; serviceId: string }> {
  const sensorId = await buildSensor(user, { name: 'input', ...sensor });
  const named = typeof service === 'string' ? { name: service } : service;
  const serviceId: string = (await create(user, `/sensors/${sensorId}/services`, { service: named })).service.id;
  return { sensorId, serviceId };
}

/** The values of a sensor's data points, oldest first. */
export async function valuesOf({ api }: TestUser, sensorId: string): Promise<string[]> {
  const { body } = await api.get(`/sensors/${sensorId}/data?per_page=1000`);
  return body.data.map(({ value }: { value: string }) => value);
}
