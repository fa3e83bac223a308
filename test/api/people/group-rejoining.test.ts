import assert from 'node:assert/strict';
import { buildGroup, buildSensor, type Fields } from '../../support/factories';
import { accept, join } from '../../support/groups';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import type { TestUser } from '../../support/platform';

describe('joining a group again', () => {
  const platform = usePlatform();
  const founder = useUserPerTest(platform);
  const member = useUserPerTest(platform);
  let groupId: string;

  beforeEach(async () => {
    groupId = await buildGroup(founder, { public: 1 });
    await join(member, groupId);
  });

  const mine = () => `/groups/${groupId}/users/${member.id}`;
  const leave = async () => assert.equal((await member.api.delete(mine())).status, 200);
  const change = async (group: Fields) =>
    assert.equal((await founder.api.put(`/groups/${groupId}`, { group })).status, 200);
  const grant = async (group_permissions: Fields) =>
    assert.equal((await founder.api.put(mine(), { group_permissions })).status, 200);
  const rights = async ({ id, api }: TestUser = member): Promise<string[]> => {
    const { user } = (await api.get(`/groups/${groupId}/users/${id}?details=full`)).body;
    return Object.keys(user.group_permissions).filter((right) => user.group_permissions[right]);
  };
  const formerMembers = async () =>
    (await platform.query('SELECT user_id AS id FROM former_members WHERE group_id = ?', [groupId])).length;

  it('gives back no right that was withdrawn, however often', async () => {
    await grant({ list_users: 0, add_sensors: 0 });
    for (let times = 0; times < 2; times += 1) {
      await leave();
      await join(member, groupId, { group_permissions: { list_users: 1, edit_group: 1 } });
      assert.deepEqual(await rights(), ['list_sensors']);
    }
    assert.equal((await member.api.get(`/groups/${groupId}/users`)).status, 403);
    assert.equal((await join(member, groupId, { sensors: [await buildSensor(member)] })).status, 403);
  });

  it('gives no right that new members got meanwhile, and none that they got no longer', async () => {
    await grant({ remove_sensors: 1, edit_group: 1 });
    await leave();
    await change({ default_add_users: 1, default_list_sensors: 0 });
    await join(member, groupId);
    assert.deepEqual(await rights(), ['list_users', 'add_sensors']);
    const late = await platform.user();
    await join(late, groupId);
    assert.deepEqual(await rights(late), ['list_users', 'add_users', 'add_sensors']);
  });

  it('is the same for a member who was removed, or left by deleting the group', async () => {
    await grant({ list_sensors: 0 });
    await founder.api.delete(mine());
    await join(member, groupId);
    assert.deepEqual(await rights(), ['list_users', 'add_sensors']);
    await grant({ remove_users: 1, list_users: 0 });
    assert.equal((await member.api.delete(`/groups/${groupId}`)).status, 200);
    await change({ default_remove_users: 1 });
    await join(member, groupId);
    assert.deepEqual(await rights(), ['remove_users', 'add_sensors']);
  });

  it('waits for acceptance in a private group, and keeps the limit when the request is withdrawn or repeated', async () => {
    await grant({ list_users: 0 });
    await leave();
    await change({ public: 0 });
    for (let times = 0; times < 2; times += 1) {
      await join(member, groupId);
      await leave();
    }
    await join(member, groupId);
    assert.equal((await founder.api.delete(mine())).status, 200, 'rejected');
    await join(member, groupId);
    await join(member, groupId);
    await accept(founder, groupId, member);
    assert.deepEqual(await rights(), ['list_sensors', 'add_sensors']);
  });

  it('gives the rights that a member grants who accepts, and those count from then on', async () => {
    await grant({ list_users: 0 });
    await leave();
    await change({ public: 0 });
    await join(member, groupId);
    await accept(founder, groupId, member, { group_permissions: { list_users: 1, list_sensors: 0 } });
    assert.deepEqual(await rights(), ['list_users', 'add_sensors']);
    assert.equal(await formerMembers(), 0);
    await leave();
    await join(member, groupId);
    await accept(founder, groupId, member);
    assert.deepEqual(await rights(), ['list_users', 'add_sensors']);
  });

  it('gives the rights that a member grants later', async () => {
    await grant({ list_users: 0 });
    await leave();
    await join(member, groupId);
    await grant({ list_users: 1 });
    await leave();
    await join(member, groupId);
    assert.deepEqual(await rights(), ['list_users', 'list_sensors', 'add_sensors']);
  });

  it('is limited for its founder as well', async () => {
    await founder.api.delete(`/groups/${groupId}/users/${founder.id}`);
    await join(founder, groupId);
    assert.deepEqual(await rights(founder), ['list_users', 'list_sensors', 'add_sensors']);
  });

  it('while leaving at the same time gives nothing back', async () => {
    await grant({ list_users: 0 });
    await Promise.all([leave(), join(member, groupId), join(member, groupId), join(member, groupId)]);
    await join(member, groupId);
    assert.deepEqual(await rights(), ['list_sensors', 'add_sensors']);
  });

  it('leaves no rows behind with the account or the group', async () => {
    await leave();
    const other = await platform.user();
    await join(other, groupId);
    await other.api.delete(`/groups/${groupId}/users/${other.id}`);
    assert.equal(await formerMembers(), 2);
    assert.equal((await member.api.delete(`/users/${member.id}`)).status, 200);
    assert.equal(await formerMembers(), 1);
    assert.equal((await founder.api.delete(`/groups/${groupId}`)).status, 200);
    assert.equal(await formerMembers(), 0);
  });
});
