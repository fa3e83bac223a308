import assert from 'node:assert/strict';
import { buildSensor, buildService } from './factories';
import type { TestUser } from './platform';

/** A service that learns, and the sensors that feed it. */
export interface LearningService {
  id: string;
  sensorIds: string[];
}

const AXES = { 'x-axis': 'float', 'y-axis': 'float', 'z-axis': 'float' };

/** The id of a sensor with the accelerations that a phone measures. */
export function buildPhone(user: TestUser): Promise<string> {
  return buildSensor(user, { name: 'phone', data_type: 'json', data_structure: AXES });
}

/** A service that these sensors feed. */
export async function buildLearningService(
  user: TestUser,
  sensorIds: string[],
  name = 'state_recognition_service',
): Promise<LearningService> {
  return { id: await buildService(user, name, ...sensorIds), sensorIds };
}

/** The body of the response of a service's method, which sets something when it is given parameters. */
export async function runMethod({ api }: TestUser, service: LearningService, name: string, ...parameters: string[]) {
  const path = `/sensors/${service.sensorIds[0]}/services/${service.id}/${name}`;
  return (await (parameters.length > 0 ? api.post(path, { parameters }) : api.get(path))).body;
}

/** Teaches a range of time as a label; returns the body of the response. */
export async function learnRange({ api }: TestUser, service: LearningService, range: object) {
  const { status, body } = await api.post(`/sensors/${service.sensorIds[0]}/services/${service.id}/manualLearn`, range);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** The labels that the service wrote, oldest first. */
export async function labelsOf(user: TestUser, serviceId: string): Promise<{ date: number; value: string }[]> {
  const { body } = await user.api.get(`/sensors/${serviceId}/data?per_page=1000`);
  return body.data.map(({ date, value }: { date: number; value: string }) => ({ date, value }));
}
