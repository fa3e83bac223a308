import type { Answer } from './api-client';
import type { TestUser } from './platform';

/** Makes a group over the API; returns its id. */
export async function buildGroup({ api }: TestUser, fields: Record<string, unknown> = {}): Promise<string> {
  const answer = await api.post('/groups', { group: { name: 'rowers', ...fields } });
  if (answer.status !== 201) throw new Error(`the group answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body.group.id;
}

/** The user adds himself to the group. */
export function join({ id, api }: TestUser, groupId: string, fields: Record<string, unknown> = {}): Promise<Answer> {
  return api.post(`/groups/${groupId}/users`, { users: [{ user: { id }, ...fields }] });
}

/** A member accepts a user who waits. */
export function accept(
  { api }: TestUser,
  groupId: string,
  { id }: TestUser,
  fields: Record<string, unknown> = {},
): Promise<Answer> {
  return api.post(`/groups/${groupId}/users`, { users: [{ user: { id }, ...fields }] });
}

export async function buildSensor({ api }: TestUser, name = 'position'): Promise<string> {
  return (await api.post('/sensors', { sensor: { name } })).body.sensor.id;
}

/** The ids of the group's sensors, as the user sees them. */
export async function sensorsOf({ api }: TestUser, groupId: string): Promise<string[]> {
  const { body } = await api.get(`/groups/${groupId}/sensors`);
  return body.sensors.map(({ id }: { id: string }) => id);
}
