import assert from 'node:assert/strict';
import { buildGroup, buildSensor } from '../../support/factories';
import { accept, join } from '../../support/groups';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import type { TestUser } from '../../support/platform';

const PERSON = {
  name: 'Grace',
  surname: 'Hopper',
  mobile: '+31612345678',
  address: 'Main street 1',
  zipcode: '1234 AB',
  country: 'Netherlands',
};

describe('the members of a group', () => {
  const platform = usePlatform();
  const founder = useUserPerTest(platform);
  const user = useUserPerTest(platform, PERSON);
  const other = useUserPerTest(platform);

  const usersOf = async ({ api }: TestUser, groupId: string, query = '') =>
    (await api.get(`/groups/${groupId}/users${query}`)).body.users;
  const idsOf = async (viewer: TestUser, groupId: string): Promise<string[]> =>
    (await usersOf(viewer, groupId)).map(({ id }: { id: string }) => id);
  const seen = async (viewer: TestUser, groupId: string, { id } = user) =>
    (await viewer.api.get(`/groups/${groupId}/users/${id}`)).body.user;
  const put = ({ api }: TestUser, groupId: string, { id }: TestUser, body: unknown) =>
    api.put(`/groups/${groupId}/users/${id}`, body);
  /** What another member, who may only list, sees of the user. */
  const shownIn = async (group: Record<string, unknown>, display_user_info: Record<string, unknown> = {}) => {
    const groupId = await buildGroup(founder, { public: 1, ...group });
    await join(user, groupId, { display_user_info });
    await join(other, groupId);
    return (await usersOf(other, groupId))[1];
  };

  describe('show', () => {
    const demanded = () => ({
      id: user.id,
      name: 'Grace',
      surname: 'Hopper',
      address: 'Main street 1',
      zipcode: '1234 AB',
      country: 'Netherlands',
    });
    const NO_DEMANDS = Object.fromEntries(
      ['first_name', 'surname', 'id', 'zipcode', 'address', 'country'].map((one) => [`required_show_${one}`, 0]),
    );

    it('what the group requires by default', async () => {
      assert.deepEqual(await shownIn({}), demanded());
    });

    it('what the group requires, even when they chose not to show it', async () => {
      assert.deepEqual(await shownIn({}, { show_first_name: 0, show_surname: 0, show_id: 0 }), demanded());
    });

    it('nothing where nothing is required and nothing chosen', async () => {
      assert.deepEqual(await shownIn(NO_DEMANDS), {});
    });

    it('only what they chose in an anonymous group, whatever it requires', async () => {
      const demands = { required_show_email: 1, required_show_username: 1, required_show_phone_number: 1 };
      assert.deepEqual(await shownIn({ anonymous: 1, ...demands }), {});
      assert.deepEqual(await shownIn({ anonymous: 1, ...demands }, { show_surname: 1 }), { surname: 'Hopper' });
    });

    const details: [setting: string, field: string, value: () => string][] = [
      ['first_name', 'name', () => 'Grace'],
      ['surname', 'surname', () => 'Hopper'],
      ['email', 'email', () => `${user.username}@example.org`],
      ['phone_number', 'mobile', () => '+31612345678'],
      ['username', 'username', () => user.username],
      ['id', 'id', () => user.id],
    ];
    for (const [setting, field, value] of details) {
      it(`their ${field} when they chose to, or when the group requires it`, async () => {
        assert.deepEqual(await shownIn(NO_DEMANDS, { [`show_${setting}`]: 1 }), { [field]: value() });
        assert.deepEqual(await shownIn({ ...NO_DEMANDS, [`required_show_${setting}`]: 1 }), { [field]: value() });
      });
    }

    it('other details as soon as they change their choice or the group its requirements', async () => {
      const groupId = await buildGroup(founder, { public: 1 });
      await join(user, groupId);
      await join(other, groupId);
      const response = await put(user, groupId, user, { display_user_info: { show_phone_number: 1 } });
      assert.equal(response.status, 200);
      assert.equal(response.body.user.display_user_info.show_phone_number, true);
      assert.deepEqual(await seen(other, groupId), { ...demanded(), mobile: '+31612345678' });
      await founder.api.put(`/groups/${groupId}`, { group: { anonymous: 1 } });
      assert.deepEqual((await usersOf(other, groupId))[1], { mobile: '+31612345678' });
    });
  });

  it('who hide their ids cannot be found by trying ids, but by members who decide about them', async () => {
    const groupId = await buildGroup(founder, { public: 1, anonymous: 1 });
    await join(user, groupId);
    await join(other, groupId);
    const read = async ({ api }: TestUser) => (await api.get(`/groups/${groupId}/users/${user.id}`)).status;
    assert.deepEqual([await read(other), await read(founder), await read(user)], [404, 200, 200]);
    await put(user, groupId, user, { display_user_info: { show_id: 1 } });
    assert.equal(await read(other), 200);
  });

  it('are identified for members who may accept or remove them, even in an anonymous group', async () => {
    const groupId = await buildGroup(founder, { public: 1, anonymous: 1 });
    await join(user, groupId);
    assert.deepEqual(await usersOf(founder, groupId), [
      { id: founder.id, accepted: true },
      { id: user.id, accepted: true },
    ]);
  });

  it('are listed with rights and display settings when full details are requested', async () => {
    const groupId = await buildGroup(founder, { public: 1 });
    await join(user, groupId, { display_user_info: { show_email: '1' } });
    const [, plain] = await usersOf(user, groupId);
    assert.deepEqual([plain.group_permissions, plain.display_user_info], [undefined, undefined]);
    const [first, second] = await usersOf(user, groupId, '?details=full');
    assert.ok(Object.values(first.group_permissions).every((right) => right === true));
    assert.deepEqual(second.group_permissions, {
      list_users: true,
      add_users: false,
      remove_users: false,
      list_sensors: true,
      add_sensors: true,
      remove_sensors: false,
      see_alerts: false,
      handle_alerts: false,
      edit_group: false,
    });
    assert.deepEqual(second.display_user_info, {
      show_first_name: false,
      show_surname: false,
      show_email: true,
      show_phone_number: false,
      show_username: false,
      show_id: false,
    });
  });

  it('are listed page by page, with their number', async () => {
    const groupId = await buildGroup(founder, { public: 1 });
    await join(user, groupId);
    await join(other, groupId);
    const { body } = await founder.api.get(`/groups/${groupId}/users?per_page=1&page=1&total=1`);
    assert.deepEqual([body.users.map(({ id }: { id: string }) => id), body.total], [[user.id], 3]);
  });

  it('who wait are listed, with `accepted`, only for members who may accept them', async () => {
    const groupId = await buildGroup(founder);
    await join(user, groupId);
    await accept(founder, groupId, user);
    await join(other, groupId);
    const asAccepter = await usersOf(founder, groupId);
    assert.deepEqual(
      asAccepter.map((one: { id: string; accepted: boolean }) => [one.id, one.accepted]),
      [
        [founder.id, true],
        [user.id, true],
        [other.id, false],
      ],
    );
    assert.deepEqual(await idsOf(user, groupId), [founder.id, user.id]);
    assert.ok((await usersOf(user, groupId)).every((one: object) => !('accepted' in one)));
    assert.equal((await user.api.get(`/groups/${groupId}/users/${other.id}`)).status, 404);
    assert.equal((await seen(founder, groupId, other)).accepted, false);
    assert.equal((await seen(other, groupId, other)).accepted, false);
  });

  it('who wait are named to those who may accept them, and once accepted show what they choose', async () => {
    const groupId = await buildGroup(founder, { anonymous: 1, default_add_users: 1 });
    await join(other, groupId);
    await accept(founder, groupId, other, { group_permissions: { add_users: 0, remove_users: 1 } });
    await join(user, groupId, { display_user_info: { show_username: 0 } });
    const waiting = { id: user.id, username: user.username, accepted: false };
    assert.deepEqual((await usersOf(founder, groupId))[1], waiting);
    assert.deepEqual(await seen(founder, groupId), waiting);
    assert.deepEqual(await idsOf(other, groupId), [founder.id, other.id]);
    await accept(founder, groupId, user);
    assert.deepEqual(await seen(founder, groupId), { id: user.id, accepted: true });
  });

  it('who wait may do nothing in the group but withdraw their join request', async () => {
    const groupId = await buildGroup(founder);
    const sensorId = await buildSensor(other);
    await join(other, groupId);
    const { api } = other;
    const statuses = [
      await api.get(`/groups/${groupId}`),
      await api.put(`/groups/${groupId}`, { group: { name: 'x' } }),
      await api.delete(`/groups/${groupId}`),
      await api.get(`/groups/${groupId}/users`),
      await api.get(`/groups/${groupId}/sensors`),
      await api.post(`/groups/${groupId}/sensors`, { sensors: [{ id: sensorId }] }),
      await put(other, groupId, other, { group_permissions: { add_users: 1 } }),
    ].map(({ status }) => status);
    assert.deepEqual(statuses, Array(7).fill(403));
    assert.equal((await put(other, groupId, other, { display_user_info: { show_email: 1 } })).status, 200);
    assert.equal((await api.delete(`/groups/${groupId}/users/${other.id}`)).status, 200);
    assert.deepEqual((await api.get('/groups')).body.groups, []);
  });

  it('are changed by the fields themselves or by a record as `user`, and not by anything else', async () => {
    const groupId = await buildGroup(founder, { public: 1 });
    await join(user, groupId);
    const rights = async () =>
      (await founder.api.get(`/groups/${groupId}/users/${user.id}?details=full`)).body.user.group_permissions;
    const change = async (body: unknown) => (await put(founder, groupId, user, body)).status;
    assert.equal(await change({ group_permissions: { add_users: 1 } }), 200);
    assert.equal((await rights()).add_users, true);
    assert.equal(await change({ user: { group_permissions: { add_users: 0, edit_group: 1 } } }), 200);
    const changed = await rights();
    assert.deepEqual([changed.add_users, changed.edit_group], [false, true]);
    const { body } = await user.api.get(`/groups/${groupId}/users/${user.id}?details=full`);
    body.user.display_user_info.show_email = true;
    const answer = await put(user, groupId, user, body);
    assert.deepEqual([answer.status, answer.body.user.display_user_info.show_email], [200, true]);
    assert.equal(await change({ user: { id: user.id }, group_permissions: { remove_users: 1 } }), 200);
    assert.equal((await rights()).remove_users, true);

    const known = await rights();
    const group_permissions = { list_users: known.list_users ? 0 : 1 };
    const without: unknown[] = [
      {},
      { user: {} },
      { user: { username: 'grace' } },
      { member: { group_permissions } },
      { group_permissions: { fly: 1 } },
    ];
    for (const body of without) assert.equal(await change(body), 200, JSON.stringify(body));
    const wrong = await put(founder, groupId, user, { user: { group_permissions: 'all' } });
    assert.deepEqual([wrong.status, Object.keys(wrong.body.fields ?? {})], [400, ['user.group_permissions']]);
    assert.deepEqual(await rights(), known);
    const both = { user: { group_permissions: { edit_group: 0 } }, group_permissions: { edit_group: 1 } };
    assert.equal(await change(both), 200);
    assert.deepEqual(await rights(), known);
  });

  it('may be rejected while they wait, and have no rights to change until they are accepted', async () => {
    const groupId = await buildGroup(founder);
    await join(user, groupId);
    assert.equal((await put(founder, groupId, user, { group_permissions: { add_users: 1 } })).status, 409);
    assert.equal((await founder.api.delete(`/groups/${groupId}/users/${user.id}`)).status, 200);
    assert.deepEqual((await user.api.get('/groups')).body.groups, []);
    assert.equal((await founder.api.delete(`/groups/${groupId}/users/${user.id}`)).status, 404);
  });
});
