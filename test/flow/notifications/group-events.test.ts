import assert from 'node:assert/strict';
import { buildGroup, buildSensor, upload } from '../../support/factories';
import { accept, join, shareWithGroup } from '../../support/groups';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';
import type { TestUser } from '../../support/platform';
import { subscribe } from '../../support/subscribe';

describe('the events of groups', () => {
  const platform = usePlatform();
  const receiver = useReceiver();
  const founder = useUserPerTest(platform);
  const member = useUserPerTest(platform);
  const stranger = useUserPerTest(platform);

  /** A group in which the member has exactly these rights. */
  const groupWith = async (rights: Record<string, 0 | 1> = {}, fields: Record<string, unknown> = {}) => {
    const groupId = await buildGroup(founder, { public: 1, ...fields });
    await join(member, groupId);
    await founder.api.put(`/groups/${groupId}/users/${member.id}`, { group_permissions: rights });
    return groupId;
  };
  const groupPath = (groupId: string, { id }: TestUser) => `/groups/${groupId}/users/${id}`;
  const received = async () => {
    await platform.settle();
    return receiver.received.map(({ form }) => [form.event, form.subject_id, form.source_id, form.user_id]);
  };
  const addSensor = async (user: TestUser, groupId: string) => {
    const id = await buildSensor(user);
    await shareWithGroup(user, groupId, id, id);
    await shareWithGroup(user, groupId, id);
    return id;
  };

  interface Cause {
    event: string;
    /** The right that a member needs to be notified of it. */
    right?: string;
    /** Prepares the event before anybody subscribes; then causes it and returns [subject, source]. */
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
          await upload(founder, id, { value: 1 });
          return [id, id];
        };
      },
    },
  ];

  for (const { event, right, cause } of causes) {
    it(`notify members of ${event} once, and nobody else`, async () => {
      const groupId = await groupWith();
      const act = await cause(groupId);
      const [bystander, waiting] = [await platform.user(), await platform.user()];
      await founder.api.put(`/groups/${groupId}`, { group: { public: 0 } });
      await join(waiting, groupId);
      await founder.api.put(`/groups/${groupId}`, { group: { public: event === 'add_group_user' ? 1 : 0 } });
      for (const one of [member, bystander, waiting]) await subscribe(one, receiver.url, event);
      const [subject, source] = await act();
      assert.deepEqual(await received(), [[event, subject, source, member.id]]);
    });

    if (right) {
      it(`notify members of ${event} only with the right ${right}`, async () => {
        const groupId = await groupWith({ [right]: 0 });
        const act = await cause(groupId);
        await subscribe(member, receiver.url, event);
        await act();
        assert.deepEqual(await received(), []);
      });
    }
  }

  it('include the creation of a group', async () => {
    await subscribe(founder, receiver.url, 'add_group');
    await subscribe(founder, receiver.url, 'add_group_user');
    await subscribe(member, receiver.url, 'add_group');
    const groupId = await buildGroup(founder);
    assert.deepEqual(await received(), [['add_group', groupId, groupId, founder.id]]);
  });

  it('notify the last member of everything that is deleted when they leave', async () => {
    const groupId = await buildGroup(founder);
    const sensorId = await addSensor(founder, groupId);
    await join(member, groupId);
    for (const event of ['remove_group_sensor', 'remove_group_user', 'delete_group']) {
      for (const one of [founder, member]) await subscribe(one, receiver.url, event);
    }
    await founder.api.delete(`/groups/${groupId}`);
    assert.deepEqual(await received(), [
      ['remove_group_sensor', sensorId, groupId, founder.id],
      ['remove_group_user', founder.id, groupId, founder.id],
      ['delete_group', groupId, groupId, founder.id],
    ]);
  });

  it('notify the other members of the sensors that leave with a deleted account', async () => {
    const groupId = await groupWith();
    const sensorId = await addSensor(founder, groupId);
    for (const event of ['delete_sensor', 'remove_group_sensor', 'remove_group_user', 'delete_group']) {
      await subscribe(member, receiver.url, event);
    }
    await founder.api.delete(`/users/${founder.id}`);
    assert.deepEqual(await received(), [
      ['delete_sensor', sensorId, sensorId, member.id],
      ['remove_group_sensor', sensorId, groupId, member.id],
      ['remove_group_user', founder.id, groupId, member.id],
    ]);
  });

  it('notify a member who gets or loses the right to list users of exactly that change', async () => {
    const groupId = await groupWith({ list_users: 0 });
    await subscribe(member, receiver.url, 'update_group_user');
    const allow = (list_users: 0 | 1) =>
      founder.api.put(groupPath(groupId, member), { group_permissions: { list_users } });
    await allow(1);
    assert.equal((await received()).length, 1);
    await allow(0);
    assert.equal((await received()).length, 2);
    await founder.api.put(groupPath(groupId, founder), { display_user_info: { show_email: 1 } });
    assert.equal((await received()).length, 2);
  });

  it('tell the id of a member who hides it only to those who decide about members', async () => {
    const groupId = await groupWith({}, { anonymous: 1 });
    const names = ['add_group_user', 'update_group_user', 'remove_group_user'];
    for (const user of [founder, member]) for (const name of names) await subscribe(user, receiver.url, name);
    await join(stranger, groupId);
    await stranger.api.put(groupPath(groupId, stranger), { display_user_info: { show_email: 1 } });
    await stranger.api.delete(groupPath(groupId, stranger));
    const toFounder = names.map((name) => [name, stranger.id, groupId, founder.id]);
    assert.deepEqual((await received()).sort(), toFounder.sort());
  });

  it('do not include refused changes', async () => {
    const groupId = await groupWith({}, { required_sensors: [] });
    for (const event of ['update_group', 'add_group_user', 'remove_group_user', 'add_group_sensor']) {
      await subscribe(founder, receiver.url, event);
    }
    const own = await buildSensor(founder);
    await stranger.api.put(`/groups/${groupId}`, { group: { name: 'x' } });
    await stranger.api.delete(`/groups/${groupId}`);
    await member.api.post(`/groups/${groupId}/sensors`, { sensors: [{ id: own }] });
    await founder.api.post(`/groups/${groupId}/users`, { users: [{ user: { id: stranger.id } }] });
    assert.deepEqual(await received(), []);
  });
});
