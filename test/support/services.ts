import type { TestUser } from './platform';

/** Makes a sensor and connects it to a service, over the API; `service` is an id of a running one or a name. */
export async function feedService(
  { api }: TestUser,
  service: string | { id: string },
  sensor: Record<string, unknown> = {},
): Promise<{ sensorId: string; serviceId: string }> {
  const made = await api.post('/sensors', { sensor: { name: 'input', ...sensor } });
  const sensorId: string = made.body.sensor.id;
  const named = typeof service === 'string' ? { name: service } : service;
  const answer = await api.post(`/sensors/${sensorId}/services`, { service: named });
  if (answer.status !== 201) throw new Error(`connecting answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return { sensorId, serviceId: answer.body.service.id };
}

/** The values of a sensor's data points, oldest first. */
export async function valuesOf({ api }: TestUser, sensorId: string): Promise<string[]> {
  const { body } = await api.get(`/sensors/${sensorId}/data?per_page=1000`);
  return body.data.map(({ value }: { value: string }) => value);
}
