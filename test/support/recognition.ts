import assert from 'node:assert/strict';
import type { TestUser } from './platform';

/** A service that learns, its virtual sensor, and the sensors that feed it. */
export interface TestService {
  id: string;
  sensorIds: string[];
}

export const AXES = JSON.stringify({ 'x-axis': 'float', 'y-axis': 'float', 'z-axis': 'float' });

/** A sensor of the user with values of this type. */
export async function makeSensor(user: TestUser, name: string, dataStructure = ''): Promise<string> {
  const sensor = { name, data_type: dataStructure === '' ? 'float' : 'json', data_structure: dataStructure };
  const { status, body } = await user.api.post('/sensors', { sensor });
  assert.equal(status, 201, JSON.stringify(body));
  return body.sensor.id;
}

/** A service of that name, fed by these sensors. */
export async function makeService({ api }: TestUser, name: string, sensorIds: string[]): Promise<TestService> {
  let id = '';
  for (const sensorId of sensorIds) {
    const service = id === '' ? { name } : { id };
    const { status, body } = await api.post(`/sensors/${sensorId}/services`, { service });
    assert.equal(status, 201, JSON.stringify(body));
    id = body.service.id;
  }
  return { id, sensorIds };
}

/** What a method of the service answers; a method with parameters is a set method. */
export async function runMethod({ api }: TestUser, service: TestService, name: string, ...parameters: string[]) {
  const path = `/sensors/${service.sensorIds[0]}/services/${service.id}/${name}`;
  return (await (parameters.length > 0 ? api.post(path, { parameters }) : api.get(path))).body;
}

/** Learns a range as a label; answers what the platform answers. */
export async function learnRange({ api }: TestUser, service: TestService, range: object) {
  const { status, body } = await api.post(`/sensors/${service.sensorIds[0]}/services/${service.id}/manualLearn`, range);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** Uploads points, as many requests as it takes. */
export async function upload(user: TestUser, sensorId: string, data: readonly unknown[]): Promise<void> {
  for (let from = 0; from < data.length; from += 5_000) {
    const answer = await user.api.post(`/sensors/${sensorId}/data`, { data: data.slice(from, from + 5_000) });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
  }
}

/** The labels that the service has written, oldest first. */
export async function labelsOf(user: TestUser, serviceId: string): Promise<{ date: number; value: string }[]> {
  const { body } = await user.api.get(`/sensors/${serviceId}/data?per_page=1000`);
  return body.data.map(({ date, value }: { date: number; value: string }) => ({ date, value }));
}
