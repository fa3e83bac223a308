import assert from 'node:assert/strict';
import { buildGroup } from '../../support/factories';
import { accept, join } from '../../support/groups';
import { usePlatform, useUserPerTest } from '../../support/hooks';

const NO_RIGHTS = {
  list_users: 0,
  add_users: 0,
  remove_users: 0,
  list_sensors: 0,
  add_sensors: 0,
  remove_sensors: 0,
  edit_group: 0,
};

describe('the rights of new members of a group', () => {
  const platform = usePlatform();
  const founder = useUserPerTest(platform);
  const member = useUserPerTest(platform);
  let groupId: string;

  beforeEach(async () => {
    groupId = await buildGroup(founder);
    await join(member, groupId);
    await accept(founder, groupId, member);
  });

  /** Gives the member exactly these rights. */
  const allow = async (rights: readonly (keyof typeof NO_RIGHTS)[]) => {
    const group_permissions = { ...NO_RIGHTS, ...Object.fromEntries(rights.map((right) => [right, 1])) };
    const response = await founder.api.put(`/groups/${groupId}/users/${member.id}`, { group_permissions });
    assert.equal(response.status, 200, JSON.stringify(response.body));
  };

  it('cannot be widened by a member who lacks the right', async () => {
    const change = (fields: object) => member.api.put(`/groups/${groupId}`, { group: fields });
    await allow(['list_users']);
    const refused = await change({ default_list_users: 1, default_remove_users: 1, public: 1 });
    assert.equal(refused.status, 403);
    assert.match(refused.body.error, /default_remove_users/);
    const { group } = (await founder.api.get(`/groups/${groupId}`)).body;
    assert.deepEqual([group.default_remove_users, group.public], [false, false]);
    // What new members have already, and what is taken from them, needs no right.
    assert.equal((await change({ default_list_sensors: 1, default_add_sensors: 0 })).status, 200);
    assert.equal((await change({ default_add_sensors: 1 })).status, 403);
    await allow(['remove_users']);
    assert.equal((await change({ default_remove_users: 1 })).status, 200);
    await allow(['add_users']);
    assert.equal((await change({ default_remove_sensors: 1 })).status, 200);
  });
});
