import assert from 'node:assert/strict';
import { buildGroup, buildSensor } from '../../support/factories';
import { accept, join, sensorsOf } from '../../support/groups';
import { usePlatform, useUser, useUserPerTest } from '../../support/hooks';
import type { TestUser } from '../../support/platform';

const PASSWORD = '5f4dcc3b5aa765d61d8327deb882cf99';
const WRONG = 'e10adc3949ba59abbe56e057f20f883e';

describe('joining a group', () => {
  const platform = usePlatform();
  const founder = useUserPerTest(platform);
  const user = useUserPerTest(platform);
  const other = useUserPerTest(platform);

  /** `accepted` of the group in the user's list; undefined when it is not listed. */
  const acceptanceOf = async ({ api }: TestUser, groupId: string): Promise<boolean | undefined> =>
    (await api.get('/groups')).body.groups.find(({ id }: { id: string }) => id === groupId)?.accepted;

  describe('is decided by how open the group is:', () => {
    const cases = [
      { what: 'a public one', group: { public: 1 }, sent: {}, status: 201, accepted: true },
      {
        what: 'a public one, whatever the password',
        group: { public: 1, access_password: PASSWORD },
        sent: { access_password: WRONG },
        status: 201,
        accepted: true,
      },
      {
        what: 'a private one with its password',
        group: { access_password: PASSWORD },
        sent: { access_password: PASSWORD.toUpperCase() },
        status: 201,
        accepted: true,
      },
      {
        what: 'a private one with a wrong password',
        group: { access_password: PASSWORD },
        sent: { access_password: WRONG },
        status: 403,
        accepted: undefined,
      },
      {
        what: 'a private one that has no password, with one',
        group: {},
        sent: { access_password: PASSWORD },
        status: 403,
        accepted: undefined,
      },
      { what: 'a private one without a password', group: {}, sent: {}, status: 201, accepted: false },
      {
        what: 'a private one with an empty password',
        group: { access_password: PASSWORD },
        sent: { access_password: '' },
        status: 201,
        accepted: false,
      },
      {
        what: 'a hidden one by its id and password',
        group: { hidden: 1, access_password: PASSWORD },
        sent: { access_password: PASSWORD },
        status: 201,
        accepted: true,
      },
      {
        what: 'a password that is not an MD5 digest',
        group: { access_password: PASSWORD },
        sent: { access_password: 'password' },
        status: 400,
        accepted: undefined,
      },
    ];
    for (const { what, group, sent, status, accepted } of cases) {
      it(what, async () => {
        const groupId = await buildGroup(founder, group);
        const response = await join(user, groupId, sent);
        assert.equal(response.status, status, JSON.stringify(response.body));
        if (status === 201) assert.equal(response.body.users[0].accepted, accepted);
        assert.equal(await acceptanceOf(user, groupId), accepted);
      });
    }
  });

  it('accepts a single user, a username, and forms with bracket names', async () => {
    const groupId = await buildGroup(founder, { public: 1 });
    const sensorId = await buildSensor(user);
    const single = { user: { id: '', username: user.username.toUpperCase() }, sensors: [sensorId] };
    assert.equal((await user.api.post(`/groups/${groupId}/users`, single)).status, 201);
    assert.deepEqual(await sensorsOf(founder, groupId), [sensorId]);
    const form = await other.api.post(`/groups/${groupId}/users.json`, `users[0][user][id]=${other.id}`, {
      'Content-Type': 'application/x-www-form-urlencoded',
    });
    assert.equal(form.status, 201, JSON.stringify(form.body));
    assert.equal(await acceptanceOf(other, groupId), true);
  });

  it('must name an existing user', async () => {
    const groupId = await buildGroup(founder, { public: 1 });
    const post = async (body: unknown) => (await user.api.post(`/groups/${groupId}/users`, body)).status;
    assert.equal(await post({}), 400);
    assert.equal(await post({ users: [] }), 400);
    assert.equal(await post({ users: [{ user: {} }] }), 400);
    assert.equal(await post({ users: [{ sensors: [1] }] }), 400);
    assert.equal(await post({ users: [{ user: { id: '999999999' } }] }), 404);
    assert.equal(await post({ users: [{ user: { username: 'nobody at all' } }] }), 404);
    assert.equal((await join(user, '999999999')).status, 404);
    const second = { users: [{ user: { id: user.id } }, { user: { id: 0 } }] };
    const refused = await user.api.post(`/groups/${groupId}/users`, second);
    assert.deepEqual([refused.status, Object.keys(refused.body.fields)], [400, ['users[1].user']]);
    assert.equal(await acceptanceOf(user, groupId), undefined);
  });

  it('grants the default rights of new members, whatever rights are sent', async () => {
    const groupId = await buildGroup(founder, { public: 1, default_list_sensors: 0, default_remove_users: 1 });
    const response = await join(user, groupId, { group_permissions: { edit_group: 1, add_users: 1, list_sensors: 1 } });
    assert.equal(response.status, 201);
    assert.deepEqual(response.body.users[0].group_permissions, {
      list_users: true,
      add_users: false,
      remove_users: true,
      list_sensors: false,
      add_sensors: true,
      remove_sensors: false,
      see_alerts: false,
      handle_alerts: false,
      edit_group: false,
    });
  });

  it('repeatedly changes nothing', async () => {
    const groupId = await buildGroup(founder, { public: 1 });
    const first = await join(user, groupId, { display_user_info: { show_email: 1 } });
    const again = await join(user, groupId, { display_user_info: { show_email: 0 }, access_password: WRONG });
    assert.equal(again.status, 201);
    assert.deepEqual(again.body, first.body);
  });

  it('with the password accepts a waiting user at once', async () => {
    const groupId = await buildGroup(founder, { access_password: PASSWORD });
    const [first, second] = [await buildSensor(user), await buildSensor(user)];
    await join(user, groupId, { sensors: [first] });
    assert.equal((await join(user, groupId)).body.users[0].accepted, false);
    assert.equal((await join(user, groupId, { access_password: WRONG })).status, 403);
    assert.deepEqual(await sensorsOf(founder, groupId), []);
    const response = await join(user, groupId, { access_password: PASSWORD, sensors: [second] });
    assert.equal(response.body.users[0].accepted, true);
    assert.deepEqual(await sensorsOf(founder, groupId), [first, second]);
  });

  it('is not possible on behalf of users who did not ask', async () => {
    const groupId = await buildGroup(founder, { public: 1 });
    await join(user, groupId);
    assert.equal((await accept(founder, groupId, other)).status, 403);
    assert.equal((await accept(user, groupId, other)).status, 403);
    assert.equal(await acceptanceOf(other, groupId), undefined);
    const hidden = await buildGroup(founder, { hidden: 1 });
    assert.equal((await accept(user, hidden, other)).status, 404);
  });

  it('is all or nothing for several users', async () => {
    const groupId = await buildGroup(founder);
    await join(user, groupId);
    const both = [{ user: { id: user.id } }, { user: { id: other.id } }];
    assert.equal((await founder.api.post(`/groups/${groupId}/users`, { users: both })).status, 403);
    assert.equal(await acceptanceOf(user, groupId), false);
    await join(other, groupId);
    const response = await founder.api.post(`/groups/${groupId}/users`, { users: [...both, ...both] });
    assert.equal(response.status, 201);
    assert.deepEqual(
      response.body.users.map((one: { id: string; accepted: boolean }) => [one.id, one.accepted]),
      [
        [user.id, true],
        [other.id, true],
      ],
    );
  });

  it('several times at once makes one member', async () => {
    const groupId = await buildGroup(founder, { public: 1, optional_sensors: ['position'] });
    const sensorId = await buildSensor(user, { name: 'position' });
    const responses = await Promise.all([1, 2, 3, 4].map(() => join(user, groupId)));
    assert.deepEqual(
      responses.map(({ status }) => status),
      [201, 201, 201, 201],
    );
    assert.equal((await founder.api.get(`/groups/${groupId}/users?total=1`)).body.total, 2);
    assert.deepEqual(await sensorsOf(founder, groupId), [sensorId]);
  });

  it('by many users at once makes all of them members', async () => {
    const groupId = await buildGroup(founder, { public: 1 });
    const users = await Promise.all(Array.from({ length: 8 }, () => platform.user()));
    const responses = await Promise.all(users.map((one) => join(one, groupId)));
    assert.ok(responses.every(({ status }) => status === 201));
    assert.equal((await founder.api.get(`/groups/${groupId}/users?total=1`)).body.total, 9);
  });

  it('while the last member leaves never leaves a group without members', async () => {
    for (let round = 0; round < 4; round += 1) {
      const groupId = await buildGroup(founder, { public: 1 });
      const [left, joined] = await Promise.all([founder.api.delete(`/groups/${groupId}`), join(user, groupId)]);
      assert.equal(left.status, 200);
      const exists = (await user.api.get(`/groups/${groupId}`)).status === 200;
      assert.deepEqual([joined.status, exists], joined.status === 201 ? [201, true] : [404, false]);
    }
  });
});

describe('users who guess the access password of a group', () => {
  const platform = usePlatform({ config: { RATE_LIMIT_REFUSED_LOGINS: '3' } });
  const founder = useUser(platform);
  const user = useUser(platform);

  it('are blocked for a while after some wrong passwords', async () => {
    const groupId = await buildGroup(founder, { access_password: PASSWORD });
    for (let tries = 0; tries < 3; tries += 1) {
      assert.equal((await join(user, groupId, { access_password: WRONG })).status, 403);
    }
    const response = await join(user, groupId, { access_password: PASSWORD });
    assert.equal(response.status, 429);
    assert.ok(Number(response.headers.get('retry-after')) > 0);
    const { status } = await platform.anonymous.post('/login', { username: user.username, password: user.password });
    assert.equal(status, 200, 'their own logins are not affected');
  });
});
