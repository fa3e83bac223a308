import assert from 'node:assert/strict';
import { buildGroup, buildSensor } from '../../support/factories';
import { accept, join, sensorsOf, shareWithGroup } from '../../support/groups';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import type { TestUser } from '../../support/platform';

describe('members who leave a group', () => {
  const platform = usePlatform();
  const founder = useUserPerTest(platform);
  const user = useUserPerTest(platform);
  const other = useUserPerTest(platform);

  const usersOf = async ({ api }: TestUser, groupId: string, query = '') =>
    (await api.get(`/groups/${groupId}/users${query}`)).body.users;
  const idsOf = async (viewer: TestUser, groupId: string): Promise<string[]> =>
    (await usersOf(viewer, groupId)).map(({ id }: { id: string }) => id);

  it('leave with their sensors, and the group is deleted with its last accepted member', async () => {
    const groupId = await buildGroup(founder, { public: 1 });
    const [mine, theirs] = [await buildSensor(user), await buildSensor(founder)];
    await join(user, groupId, { sensors: [mine] });
    await shareWithGroup(founder, groupId, theirs);
    assert.deepEqual(await sensorsOf(user, groupId), [mine, theirs]);
    assert.equal((await founder.api.delete(`/groups/${groupId}/users/${founder.id}`)).status, 200);
    assert.deepEqual(await sensorsOf(user, groupId), [mine]);
    await user.api.put(`/groups/${groupId}`, { group: { public: 0 } });
    await join(other, groupId);
    assert.equal((await user.api.delete(`/groups/${groupId}/users/${user.id}`)).status, 200);
    assert.equal((await user.api.get(`/groups/${groupId}`)).status, 404);
    assert.deepEqual((await other.api.get('/groups')).body.groups, []);
  });

  it('leave when their account is deleted, and an empty group is deleted with them', async () => {
    const groupId = await buildGroup(founder, { public: 1 });
    await join(user, groupId, { sensors: [await buildSensor(user)] });
    assert.equal((await user.api.delete(`/users/${user.id}`)).status, 200);
    assert.deepEqual(await idsOf(founder, groupId), [founder.id]);
    assert.deepEqual(await sensorsOf(founder, groupId), []);
    await founder.api.delete(`/users/${founder.id}`);
    assert.equal((await other.api.get(`/groups/${groupId}`)).status, 404);
  });

  for (const [what, leave] of [
    ['leave', ({ id, api }: TestUser, groupId: string) => api.delete(`/groups/${groupId}/users/${id}`)],
    ['delete their accounts', ({ id, api }: TestUser) => api.delete(`/users/${id}`)],
  ] as const) {
    it(`who are the last two and ${what} at the same time leave no group behind`, async () => {
      const groupId = await buildGroup(founder, { public: 1 });
      await join(user, groupId);
      const responses = await Promise.all([leave(founder, groupId), leave(user, groupId)]);
      assert.deepEqual(
        responses.map(({ status }) => status),
        [200, 200],
      );
      assert.equal((await other.api.get(`/groups/${groupId}`)).status, 404);
    });
  }

  it('who are accepted and removed at the same time end as one or the other, never in between', async () => {
    const groupId = await buildGroup(founder);
    const sensorId = await buildSensor(user);
    await join(user, groupId, { sensors: [sensorId] });
    const [accepted, removed] = await Promise.all([
      accept(founder, groupId, user),
      founder.api.delete(`/groups/${groupId}/users/${user.id}`),
    ]);
    assert.equal(removed.status, 200);
    assert.ok(accepted.status === 201 || accepted.status === 403, String(accepted.status));
    assert.deepEqual(await idsOf(founder, groupId), [founder.id]);
    assert.deepEqual(await sensorsOf(founder, groupId), []);
  });
});
