import assert from 'node:assert/strict';
import { buildGroup, buildSensor, share } from '../../support/factories';
import { join, shareWithGroup } from '../../support/groups';
import { usePlatform, useUserPerTest } from '../../support/hooks';

describe('the owner of a sensor in a group', () => {
  const platform = usePlatform();
  const owner = useUserPerTest(platform, { name: 'Grace', surname: 'Hopper' });
  const member = useUserPerTest(platform);
  const hidden = { id: '', username: '', name: '', surname: '', email: '' };
  let sensorId: string;

  beforeEach(async () => {
    sensorId = await buildSensor(owner);
  });

  const shareInto = async (fields: Record<string, unknown>) => {
    const groupId = await buildGroup(owner, { public: 1, ...fields });
    await join(member, groupId);
    await shareWithGroup(owner, groupId, sensorId);
    return groupId;
  };
  /** The owner as the member sees them, which is the same everywhere. */
  const found = async (groupId: string) => {
    const { api } = member;
    const lists = [`/groups/${groupId}/sensors?details=full`, `/sensors?group_id=${groupId}`, '/sensors?owned=0'];
    const [first, ...others] = await Promise.all(
      lists.map(async (path) => (await api.get(path)).body.sensors[0].owner),
    );
    const single = (await api.get(`/sensors/${sensorId}`)).body.sensor.owner;
    for (const one of [...others, single]) assert.deepEqual(one, first);
    return first;
  };

  it('is shown as they chose as a member', async () => {
    const groupId = await shareInto({});
    assert.deepEqual(await found(groupId), { ...hidden, id: owner.id, name: 'Grace', surname: 'Hopper' });
    const display_user_info = { show_email: 1 };
    await owner.api.put(`/groups/${groupId}/users/${owner.id}`, { display_user_info });
    assert.equal((await found(groupId)).email, `${owner.username}@example.org`);
  });

  it('is not shown in an anonymous group', async () => {
    assert.deepEqual(await found(await shareInto({ anonymous: 1 })), hidden);
  });

  it('is shown as they chose in any group through which the sensor is visible, and no more', async () => {
    const groupId = await shareInto({ anonymous: 1 });
    await shareInto({ anonymous: 0 });
    const unseen = await shareInto({ required_show_email: 1 });
    await member.api.delete(`/groups/${unseen}/users/${member.id}`);
    assert.deepEqual(await found(groupId), { ...hidden, id: owner.id, name: 'Grace', surname: 'Hopper' });
  });

  it('is shown by id and username to users with whom they shared the sensor directly', async () => {
    const groupId = await shareInto({ anonymous: 1 });
    await share(owner, sensorId, member);
    const { id, username } = owner;
    assert.deepEqual(await found(groupId), { ...hidden, id, username });
    await shareInto({ anonymous: 0 });
    assert.deepEqual(await found(groupId), { id, username, name: 'Grace', surname: 'Hopper', email: '' });
  });
});
