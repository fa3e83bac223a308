import assert from 'node:assert/strict';
import { buildGroup, buildSensor, join } from '../support/groups';
import { type Platform, startPlatform, type TestUser } from '../support/platform';

describe('the owner of a sensor in a group', () => {
  let platform: Platform;
  let owner: TestUser;
  let member: TestUser;
  let sensorId: string;

  before(async () => {
    platform = await startPlatform();
  });
  after(() => platform.close());
  beforeEach(async () => {
    owner = await platform.user({ name: 'Grace', surname: 'Hopper' });
    member = await platform.user();
    sensorId = await buildSensor(owner);
  });

  const shareInto = async (fields: Record<string, unknown>) => {
    const groupId = await buildGroup(owner, { public: 1, ...fields });
    await join(member, groupId);
    await owner.api.post(`/groups/${groupId}/sensors`, { sensors: [{ id: sensorId }] });
    return groupId;
  };
  /** The owner as the member finds him, wherever he looks. */
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

  it('shows what he shows as a member', async () => {
    const groupId = await shareInto({});
    assert.deepEqual(await found(groupId), { id: owner.id, name: 'Grace', surname: 'Hopper' });
    const display_user_info = { show_email: 1 };
    await owner.api.put(`/groups/${groupId}/users/${owner.id}`, { display_user_info });
    assert.equal((await found(groupId)).email, `${owner.username}@example.org`);
  });

  it('shows nothing in an anonymous group', async () => {
    assert.deepEqual(await found(await shareInto({ anonymous: 1 })), {});
  });

  it('shows what he shows in any group through which the sensor is seen, but no more', async () => {
    const groupId = await shareInto({ anonymous: 1 });
    await shareInto({ anonymous: 0 });
    const unseen = await shareInto({ required_show_email: 1 });
    await member.api.delete(`/groups/${unseen}/users/${member.id}`);
    assert.deepEqual(await found(groupId), { id: owner.id, name: 'Grace', surname: 'Hopper' });
  });

  it('is known in full to whom he shared the sensor with himself', async () => {
    const groupId = await shareInto({ anonymous: 1 });
    await owner.api.post(`/sensors/${sensorId}/users`, { user: { id: member.id } });
    const { id, username } = owner;
    const email = `${username}@example.org`;
    assert.deepEqual(await found(groupId), { id, username, name: 'Grace', surname: 'Hopper', email });
  });
});
