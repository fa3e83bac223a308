import assert from 'node:assert/strict';
import { accept, buildGroup, buildSensor, join } from '../support/groups';
import { type Platform, startPlatform, type TestUser } from '../support/platform';
import { type Receiver, startReceiver } from '../support/receiver';
import { subscribe } from '../support/subscribe';

describe('the events of groups', () => {
  let platform: Platform;
  let receiver: Receiver;
  let founder: TestUser;
  let member: TestUser;
  let stranger: TestUser;

  before(async () => {
    [platform, receiver] = [await startPlatform(), await startReceiver()];
  });
  after(async () => {
    await receiver.close();
    await platform.close();
  });
  beforeEach(async () => {
    receiver.received.length = 0;
    [founder, member, stranger] = [await platform.user(), await platform.user(), await platform.user()];
  });

  /** A group in which the member has exactly these rights. */
  const groupWith = async (rights: Record<string, 0 | 1> = {}, fields: Record<string, unknown> = {}) => {
    const groupId = await buildGroup(founder, { public: 1, ...fields });
    await join(member, groupId);
    await founder.api.put(`/groups/${groupId}/users/${member.id}`, { group_permissions: rights });
    return groupId;
  };
  const groupPath = (groupId: string, { id }: TestUser) => `/groups/${groupId}/users/${id}`;
  const told = async () => {
    await platform.settle();
    return receiver.received.map(({ form }) => [form.event, form.subject_id, form.source_id, form.user_id]);
  };
  const addSensor = async (user: TestUser, groupId: string) => {
    const id = await buildSensor(user);
    await user.api.post(`/groups/${groupId}/sensors`, { sensors: [{ id }, { id }] });
    await user.api.post(`/groups/${groupId}/sensors`, { sensors: [{ id }] });
    return id;
  };

  interface Cause {
    event: string;
    /** The right without which a member does not hear of it. */
    right?: string;
    /** What it needs before anybody listens, and then what causes it: [subject, source]. */
    cause: (groupId: string) => Promise<() => Promise<[string, string]>>;
  }
  const causes: Cause[] = [
    {
      event: 'update_group',
      cause: async (groupId) => async () => {
        await founder.api.put(`/groups/${groupId}`, { group: { name: 'sailors' } });
        return [groupId, groupId];
      },
    },
    {
      event: 'add_group_user',
      right: 'list_users',
      cause: async (groupId) => async () => {
        await join(stranger, groupId);
        await join(stranger, groupId);
        return [stranger.id, groupId];
      },
    },
    {
      event: 'accept_group_user',
      right: 'list_users',
      cause: async (groupId) => {
        await founder.api.put(`/groups/${groupId}`, { group: { public: 0 } });
        await join(stranger, groupId);
        return async () => {
          await Promise.all([accept(founder, groupId, stranger), accept(founder, groupId, stranger)]);
          return [stranger.id, groupId];
        };
      },
    },
    {
      event: 'update_group_user',
      right: 'list_users',
      cause: async (groupId) => async () => {
        await founder.api.put(groupPath(groupId, founder), { display_user_info: { show_email: 1 } });
        return [founder.id, groupId];
      },
    },
    {
      event: 'remove_group_user',
      right: 'list_users',
      cause: async (groupId) => {
        await join(stranger, groupId);
        return async () => {
          await Promise.all([
            founder.api.delete(groupPath(groupId, stranger)),
            stranger.api.delete(groupPath(groupId, stranger)),
          ]);
          return [stranger.id, groupId];
        };
      },
    },
    {
      event: 'add_group_sensor',
      right: 'list_sensors',
      cause: async (groupId) => async () => [await addSensor(founder, groupId), groupId],
    },
    {
      event: 'remove_group_sensor',
      right: 'list_sensors',
      cause: async (groupId) => {
        const id = await addSensor(founder, groupId);
        return async () => {
          await founder.api.delete(`/groups/${groupId}/sensors/${id}`);
          await founder.api.delete(`/groups/${groupId}/sensors/${id}`);
          return [id, groupId];
        };
      },
    },
    {
      event: 'update_sensor',
      right: 'list_sensors',
      cause: async (groupId) => {
        const id = await addSensor(founder, groupId);
        return async () => {
          await founder.api.put(`/sensors/${id}`, { sensor: { name: 'new' } });
          return [id, id];
        };
      },
    },
    {
      event: 'add_sensor_data',
      right: 'list_sensors',
      cause: async (groupId) => {
        const id = await addSensor(founder, groupId);
        return async () => {
          await founder.api.post(`/sensors/${id}/data`, { value: 1 });
          return [id, id];
        };
      },
    },
  ];

  for (const { event, right, cause } of causes) {
    it(`tell members of ${event}, once, and nobody else`, async () => {
      const groupId = await groupWith();
      const act = await cause(groupId);
      const [bystander, waiting] = [await platform.user(), await platform.user()];
      await founder.api.put(`/groups/${groupId}`, { group: { public: 0 } });
      await join(waiting, groupId);
      await founder.api.put(`/groups/${groupId}`, { group: { public: event === 'add_group_user' ? 1 : 0 } });
      for (const one of [member, bystander, waiting]) await subscribe(one, receiver.url, event);
      const [subject, source] = await act();
      assert.deepEqual(await told(), [[event, subject, source, member.id]]);
    });

    if (right) {
      it(`tell members of ${event} only with the right ${right}`, async () => {
        const groupId = await groupWith({ [right]: 0 });
        const act = await cause(groupId);
        await subscribe(member, receiver.url, event);
        await act();
        assert.deepEqual(await told(), []);
      });
    }
  }

  it('tell of the making of a group', async () => {
    await subscribe(founder, receiver.url, 'add_group');
    await subscribe(founder, receiver.url, 'add_group_user');
    await subscribe(member, receiver.url, 'add_group');
    const groupId = await buildGroup(founder);
    assert.deepEqual(await told(), [['add_group', groupId, groupId, founder.id]]);
  });

  it('tell the last member of everything that goes with him', async () => {
    const groupId = await buildGroup(founder);
    const sensorId = await addSensor(founder, groupId);
    await join(member, groupId);
    for (const event of ['remove_group_sensor', 'remove_group_user', 'delete_group']) {
      for (const one of [founder, member]) await subscribe(one, receiver.url, event);
    }
    await founder.api.delete(`/groups/${groupId}`);
    assert.deepEqual(await told(), [
      ['remove_group_sensor', sensorId, groupId, founder.id],
      ['remove_group_user', founder.id, groupId, founder.id],
      ['delete_group', groupId, groupId, founder.id],
    ]);
  });

  it('tell the others of the sensors that leave with an account', async () => {
    const groupId = await groupWith();
    const sensorId = await addSensor(founder, groupId);
    for (const event of ['delete_sensor', 'remove_group_sensor', 'remove_group_user', 'delete_group']) {
      await subscribe(member, receiver.url, event);
    }
    await founder.api.delete(`/users/${founder.id}`);
    assert.deepEqual(await told(), [
      ['delete_sensor', sensorId, sensorId, member.id],
      ['remove_group_sensor', sensorId, groupId, member.id],
      ['remove_group_user', founder.id, groupId, member.id],
    ]);
  });

  it('tell who gets or loses the right to list users of just that', async () => {
    const groupId = await groupWith({ list_users: 0 });
    await subscribe(member, receiver.url, 'update_group_user');
    const give = (list_users: 0 | 1) =>
      founder.api.put(groupPath(groupId, member), { group_permissions: { list_users } });
    await give(1);
    assert.equal((await told()).length, 1);
    await give(0);
    assert.equal((await told()).length, 2);
    await founder.api.put(groupPath(groupId, founder), { display_user_info: { show_email: 1 } });
    assert.equal((await told()).length, 2);
  });

  it('tell nothing of what was refused', async () => {
    const groupId = await groupWith({}, { required_sensors: [] });
    for (const event of ['update_group', 'add_group_user', 'remove_group_user', 'add_group_sensor']) {
      await subscribe(founder, receiver.url, event);
    }
    const own = await buildSensor(founder);
    await stranger.api.put(`/groups/${groupId}`, { group: { name: 'x' } });
    await stranger.api.delete(`/groups/${groupId}`);
    await member.api.post(`/groups/${groupId}/sensors`, { sensors: [{ id: own }] });
    await founder.api.post(`/groups/${groupId}/users`, { users: [{ user: { id: stranger.id } }] });
    assert.deepEqual(await told(), []);
  });
});
