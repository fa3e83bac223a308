import type { ApiResponse } from './api-client';
import { create, type Fields } from './factories';
import type { TestUser } from './platform';

/** The user asks to join the group. */
export function join({ id, api }: TestUser, groupId: string, fields: Fields = {}): Promise<ApiResponse> {
  return api.post(`/groups/${groupId}/users`, { users: [{ user: { id }, ...fields }] });
}

/** A member accepts the join request of a user. */
export function accept(
  { api }: TestUser,
  groupId: string,
  { id }: TestUser,
  fields: Fields = {},
): Promise<ApiResponse> {
  return api.post(`/groups/${groupId}/users`, { users: [{ user: { id }, ...fields }] });
}

/** A member shares sensors of their own with the group. */
export async function shareWithGroup(member: TestUser, groupId: string, ...sensorIds: string[]): Promise<void> {
  await create(member, `/groups/${groupId}/sensors`, { sensors: sensorIds.map((id) => ({ id })) });
}

/** The ids of the group's sensors, as the user sees them. */
export async function sensorsOf({ api }: TestUser, groupId: string): Promise<string[]> {
  const { body } = await api.get(`/groups/${groupId}/sensors`);
  return body.sensors.map(({ id }: { id: string }) => id);
}
