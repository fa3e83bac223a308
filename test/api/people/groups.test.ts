import assert from 'node:assert/strict';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import type { TestUser } from '../../support/platform';

const PASSWORD = '5f4dcc3b5aa765d61d8327deb882cf99';

describe('groups', () => {
  const platform = usePlatform();
  const founder = useUserPerTest(platform);
  const stranger = useUserPerTest(platform);

  const make = async (group: Record<string, unknown> = {}, { api } = founder) => {
    const response = await api.post('/groups', { group: { name: 'rowers', ...group } });
    assert.equal(response.status, 201, JSON.stringify(response.body));
    return response.body.group;
  };
  const names = async (path: string, { api } = founder): Promise<string[]> =>
    (await api.get(path)).body.groups.map(({ name }: { name: string }) => name);

  it('require only a name; everything else has the default of the specification', async () => {
    const response = await founder.api.post('/groups', { group: { name: 'rowers' } });
    assert.equal(response.status, 201);
    const { id, ...rest } = response.body.group;
    assert.deepEqual(rest, {
      name: 'rowers',
      email: '',
      username: '',
      mobile: '',
      description: '',
      public: false,
      hidden: false,
      anonymous: false,
      has_access_password: false,
      required_sensors: [],
      optional_sensors: [],
      default_list_users: true,
      default_add_users: false,
      default_remove_users: false,
      default_list_sensors: true,
      default_add_sensors: true,
      default_remove_sensors: false,
      default_see_alerts: false,
      default_handle_alerts: false,
      required_show_first_name: true,
      required_show_surname: true,
      required_show_email: false,
      required_show_phone_number: false,
      required_show_username: false,
      required_show_id: true,
      required_show_zipcode: true,
      required_show_address: true,
      required_show_country: true,
    });
    assert.match(id, /^\d+$/);
    assert.equal(response.headers.get('location'), `${platform.url}/groups/${id}`);
    assert.deepEqual((await founder.api.get(`/groups/${id}`)).body, response.body);
  });

  it('keep every given field, in the spellings that clients use', async () => {
    const group = await make({
      id: 99,
      email: 'rowing@example.org',
      username: 'rowers',
      mobile: '+31612345678',
      description: 'Tuesdays',
      public: 1,
      hidden: '1',
      anonymous: 'true',
      password: PASSWORD,
      access_password: PASSWORD.toUpperCase(),
      required_sensors: ['position', 'position'],
      optional_sensors: 'heart rate',
      default_list_users: 0,
      default_add_users: '1',
      required_show_first_name: 'false',
      required_show_phone_number: true,
    });
    assert.deepEqual(
      [group.email, group.username, group.mobile, group.description],
      ['rowing@example.org', 'rowers', '+31612345678', 'Tuesdays'],
    );
    assert.deepEqual([group.public, group.hidden, group.anonymous], [true, true, true]);
    assert.deepEqual([group.required_sensors, group.optional_sensors], [['position'], ['heart rate']]);
    assert.deepEqual([group.default_list_users, group.default_add_users], [false, true]);
    assert.deepEqual([group.required_show_first_name, group.required_show_phone_number], [false, true]);
    assert.equal(group.has_access_password, true);
  });

  it('never return a password, and store only hashes', async () => {
    const { id } = await make({ password: PASSWORD, access_password: PASSWORD });
    const responses = [await founder.api.get(`/groups/${id}`), await founder.api.get('/groups')];
    assert.doesNotMatch(JSON.stringify(responses.map(({ body }) => body)), new RegExp(`${PASSWORD}|argon|"password`));
    const [row] = await platform.query(
      'SELECT password_hash AS own, access_password_hash AS access FROM user_groups WHERE id = ?',
      [id],
    );
    for (const hash of Object.values(row ?? {})) assert.match(String(hash), /^\$argon2id\$/);
  });

  for (const [field, value] of [
    ['name', ''],
    ['name', 'x'.repeat(256)],
    ['public', 'maybe'],
    ['password', 'secret'],
    ['access_password', 'd41d8cd98f00b204e9800998ecf8427'],
    ['email', 'nobody'],
    ['description', 'x'.repeat(10_001)],
    ['required_sensors', { a: 1 }],
    ['required_sensors', ['']],
    ['optional_sensors', Array.from({ length: 1_001 }, (_, index) => `s${index}`)],
  ] as const) {
    it(`refuse a ${field} of ${JSON.stringify(value).slice(0, 30)}`, async () => {
      const response = await founder.api.post('/groups', { group: { name: 'rowers', [field]: value } });
      assert.equal(response.status, 400);
      assert.match(Object.keys(response.body.fields).join(), new RegExp(`^group\\.${field}`));
    });
  }

  it('change only the given fields', async () => {
    const group = await make({ description: 'Tuesdays', required_sensors: ['position'], access_password: PASSWORD });
    const changes = { id: 1, name: 'sailors', email: '', public: 1, required_sensors: [] };
    const response = await founder.api.put(`/groups/${group.id}`, { group: changes });
    assert.equal(response.status, 200);
    assert.deepEqual(response.body.group, { ...group, name: 'sailors', public: true, required_sensors: [] });
    assert.deepEqual((await founder.api.get(`/groups/${group.id}`)).body, response.body);
  });

  describe('that are', () => {
    const cases = [
      { what: 'public', group: { public: 1 }, read: 200, change: 403, listed: true },
      { what: 'private', group: {}, read: 403, change: 403, listed: true },
      { what: 'hidden', group: { hidden: 1 }, read: 404, change: 404, listed: false },
      { what: 'hidden and public', group: { hidden: 1, public: 1 }, read: 404, change: 404, listed: false },
    ];
    for (const { what, group, read, change, listed } of cases) {
      it(`${what} respond with ${read} to reads and ${change} to changes by other users`, async () => {
        const { id, name } = await make({ ...group, name: `group ${founder.id}` });
        assert.equal((await stranger.api.get(`/groups/${id}`)).status, read);
        assert.equal((await stranger.api.put(`/groups/${id}`, { group: { name: 'x' } })).status, change);
        assert.equal((await stranger.api.delete(`/groups/${id}`)).status, change);
        assert.equal((await names('/groups/all?per_page=1000', stranger)).includes(name), listed);
        assert.deepEqual(await names('/groups', stranger), []);
        assert.deepEqual(await names('/groups'), [name]);
        assert.equal((await founder.api.get(`/groups/${id}`)).status, 200);
      });
    }
  });

  it('are listed with a short record', async () => {
    const { id } = await make({ description: 'Tuesdays', public: 1, email: 'rowing@example.org' });
    const record = { id, name: 'rowers', description: 'Tuesdays', public: true };
    assert.deepEqual((await founder.api.get('/groups')).body, {
      groups: [{ ...record, accepted: true, membership: 'accepted', requests: 0 }],
    });
    const { groups } = (await stranger.api.get('/groups/all?per_page=1000')).body;
    assert.deepEqual(
      groups.filter((group: { id: string }) => group.id === id),
      [{ ...record, accepted: false, membership: 'none', requests: 0 }],
    );
  });

  const requestsOf = async ({ api }: TestUser, id: string) =>
    (await api.get('/groups')).body.groups.find((group: { id: string }) => group.id === id)?.requests;

  it('say in lists whether the caller is a member, waits, or has not asked', async () => {
    const { id } = await make();
    const seen = async (path: string) => {
      const { groups } = (await stranger.api.get(`${path}?per_page=1000`)).body;
      const found = groups.find((group: { id: string }) => group.id === id);
      return found && [found.membership, found.accepted];
    };
    const inBoth = async () => [await seen('/groups/all'), await seen('/groups')];
    const path = `/groups/${id}/users`;
    assert.deepEqual(await inBoth(), [['none', false], undefined]);
    await stranger.api.post(path, { user: { id: stranger.id } });
    assert.deepEqual(await inBoth(), Array(2).fill(['pending', false]));
    assert.equal((await stranger.api.get(`/groups/${id}`)).status, 403);
    assert.deepEqual([await requestsOf(founder, id), await requestsOf(stranger, id)], [1, 0]);
    await founder.api.post(path, { user: { id: stranger.id } });
    assert.deepEqual(await inBoth(), Array(2).fill(['accepted', true]));
    assert.equal(await requestsOf(founder, id), 0);
    await stranger.api.delete(`${path}/${stranger.id}`);
    assert.deepEqual(await inBoth(), [['none', false], undefined]);
  });

  it('are listed page by page, by filter and in the requested order', async () => {
    await make({ name: 'b', public: 1, description: 'z', username: 'u2', email: 'a@example.org' });
    await make({ name: 'c', public: 0, description: 'y', username: 'u1', email: 'c@example.org' });
    await make({ name: 'a', public: 1, description: 'x', username: 'u3', email: 'b@example.org' });
    assert.deepEqual(await names('/groups'), ['b', 'c', 'a']);
    assert.deepEqual(await names('/groups?public=1'), ['b', 'a']);
    assert.deepEqual(await names('/groups?public=0'), ['c']);
    const orders = { id: 'bca', name: 'abc', description: 'acb', username: 'cba', email: 'bac', public: 'cba' };
    for (const [field, order] of Object.entries(orders)) {
      assert.deepEqual(await names(`/groups?sort_field=${field}`), [...order], field);
    }
    assert.deepEqual(await names('/groups?sort_field=name&sort=desc'), ['c', 'b', 'a']);
    assert.deepEqual(await names('/groups?sort_field=public&sort=ASC'), ['c', 'b', 'a']);
    assert.deepEqual(await names('/groups?sort=DESC'), ['a', 'c', 'b']);
    const page = await founder.api.get('/groups?sort_field=name&per_page=1&page=1&total=1');
    assert.deepEqual([page.body.groups.length, page.body.groups[0].name, page.body.total], [1, 'b', 3]);
    assert.equal((await founder.api.get('/groups?sort_field=mobile')).status, 400);
  });

  it('are never ordered by fields that the caller may not read', async () => {
    const id = founder.id;
    await make({ name: `${id} a`, public: 0, username: 'u3', email: 'c@example.org' });
    await make({ name: `${id} b`, public: 0, username: 'u1', email: 'a@example.org' });
    await make({ name: `${id} c`, public: 1, username: 'u2', email: 'b@example.org' });
    const waiting = await platform.user();
    const groups = (await founder.api.get('/groups')).body.groups;
    for (const group of groups) await waiting.api.post(`/groups/${group.id}/users`, { users: [{ user: waiting }] });
    for (const field of ['username', 'email']) {
      const seenBy = async (user: TestUser, path: string) =>
        (await names(`${path}?sort_field=${field}&per_page=1000`, user))
          .filter((name) => name.startsWith(`${id} `))
          .map((name) => name.slice(-1))
          .join('');
      assert.equal(await seenBy(founder, '/groups/all'), 'bca', field);
      assert.equal(await seenBy(stranger, '/groups/all'), 'abc', field);
      assert.equal(await seenBy(waiting, '/groups/all'), 'abc', field);
      assert.equal(await seenBy(waiting, '/groups'), 'abc', field);
    }
  });

  it('are deleted when their only member deletes them', async () => {
    const { id } = await make();
    const response = await founder.api.delete(`/groups/${id}`);
    assert.deepEqual([response.status, response.body], [200, {}]);
    assert.equal((await founder.api.get(`/groups/${id}`)).status, 404);
    assert.deepEqual(await names('/groups'), []);
  });

  it('are deleted with the account of their only member', async () => {
    const { id } = await make({ public: 1 });
    assert.equal((await founder.api.delete(`/users/${founder.id}`)).status, 200);
    assert.equal((await stranger.api.get(`/groups/${id}`)).status, 404);
  });

  it('do not exist under an invalid id, and require a session', async () => {
    for (const id of ['0', '-1', 'x', '999999999', '1e3']) {
      assert.equal((await founder.api.get(`/groups/${id}`)).status, 404, id);
    }
    assert.equal((await platform.anonymous.get('/groups')).status, 401);
  });
});
